// Tells which visible texts stand out too little from what is behind them: less than 4.5 to 1, or 3 to 1
// when they are large (WCAG 2.2, 1.4.3).
(() => {
  const pixel = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const read = (colour) => {
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = colour;
    pixel.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pixel.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((n) => top[n] * top[3] + below[n] * (1 - top[3])).concat(1);
  const behind = (at) => {
    const layers = [];
    for (; at; at = at.parentElement) {
      const layer = read(getComputedStyle(at).backgroundColor);
      layers.push(layer);
      if (layer[3] === 1) break;
    }
    return layers.reduceRight((below, layer) => over(layer, below), read("Canvas"));
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const dim = new Map();
  for (const at of document.querySelectorAll("body *")) {
    const own = [...at.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const box = at.getBoundingClientRect();
    if (!own || box.width < 2 || box.right < 0 || box.bottom < 0 || at.closest("svg, [hidden], :disabled") || !at.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const style = getComputedStyle(at), below = behind(at), [a, b] = [light(over(read(style.color), below)), light(below)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) dim.set(at.nodeName + "." + at.className, `${ratio.toFixed(2)} for ${at.nodeName.toLowerCase()}.${at.className} “${at.innerText.slice(0, 40)}”`);
  }
  return [...dim.values()];
})()
