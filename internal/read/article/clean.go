package article

import (
	"slices"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html/atom"
)

// clean leaves out what extractors keep though it is no text of the article.
func (p *page) clean(title string) {
	p.dropMarked()
	p.dropHead(title)
	p.dropTail()
	p.dropSelfPortrait()
	p.dropRepeats()
	p.dropLooseHeadings()
}

// dropMarked leaves out blocks in parts that say they are something else, unless
// those make up much of the text: then the words mean something else here.
func (p *page) dropMarked() {
	for _, m := range []mark{noise, caption} {
		marked, all := 0, 0
		for _, b := range p.blocks {
			if b.kept {
				all += b.letters
				if b.mark == m {
					marked += b.letters
				}
			}
		}
		if marked*100 > all*35 {
			continue
		}
		for _, b := range p.blocks {
			if b.mark == m {
				b.kept = false
			}
		}
	}
}

// dropHead leaves out what stands before the first sentence: the title again, a
// subtitle set as a heading, the line of author and date.
func (p *page) dropHead(title string) {
	titleWords := wordsOf(title)
	lead := true
	for i, b := range p.blocks {
		if !b.kept {
			continue
		}
		switch {
		case sameWords(b.words, titleWords) && (lead || b.heading > 0), b.heading == 1:
			b.kept = false
		case lead && b.heading > 0 && !p.leadsProse(i):
			b.kept = false
		case lead && p.bylines(i) <= 3 && (p.bylines(i) > 0 || !b.prose() && b.links > 0.6):
			b.kept = false
		default:
			lead = false
		}
	}
}

// bylines is how many lines from here on look like those of author and date. Many
// of them are a table of dates: the text itself.
func (p *page) bylines(i int) int {
	n := 0
	for _, b := range p.blocks[i:] {
		if !b.kept {
			continue
		}
		if b.prose() && 2*figures(b.words) < len(b.words) || !bylineLike(b.Text) {
			break
		}
		n++
	}
	return n
}

// figures counts the words that are numbers, as those of dates and hours are.
func figures(words []string) (n int) {
	for _, w := range words {
		if w[0] >= '0' && w[0] <= '9' {
			n++
		}
	}
	return n
}

// deck says whether a heading directly follows the title.
func (p *page) deck(i int) bool {
	for k := i - 1; k >= 0 && k >= i-2; k-- {
		if p.blocks[k].heading == 1 {
			return true
		}
	}
	return false
}

// leadsProse says whether a heading is followed by another heading's worth of text,
// that is, whether it is the first of several sections rather than a subtitle.
func (p *page) leadsProse(i int) bool {
	if p.deck(i) {
		return false
	}
	level, same := p.blocks[i].heading, 0
	for _, b := range p.blocks[i+1:] {
		if b.kept && b.heading == level {
			same++
		}
	}
	return same > 0 && len(p.blocks[i].words) < 12
}

func sameWords(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	both := shared(a, b)
	return both*10 >= (len(a)+len(b)-both)*8
}

// bylineLike says whether a short line is about who wrote it or when.
func bylineLike(text string) bool {
	if len(text) > 140 {
		return false
	}
	words := wordsOf(text)
	if len(words) == 0 {
		return true
	}
	if bylineWords[words[0]] || len(words) > 1 && bylineWords[words[1]] {
		return true
	}
	dated := figures(words)
	return len(words)-dated <= 12 && dated >= 2 && strings.ContainsAny(text, ".:/,-") || len(words) <= 6 && yearIn(words)
}

func yearIn(words []string) bool {
	for _, w := range words {
		if len(w) == 4 && (w[:2] == "19" || w[:2] == "20") && w[2] >= '0' && w[2] <= '9' && w[3] >= '0' && w[3] <= '9' {
			return true
		}
	}
	return false
}

var bylineWords = text.Set(`by von par por di de von door av af od przez published updated posted veröffentlicht aktualisiert publié
	publicado publicada
	pubblicato gepubliceerd publicerad publisert opublikowano автор опубликовано author autor autore auteur written text words foto photo`)

// tailPhrases begin lines that close or follow a text, in the languages of the web's
// templates: rights, newsletters, sharing, tags, comments, further reading.
var tailPhrases = []string{
	"copyright", "©", "(c) ", "all rights reserved", "alle rechte vorbehalten", "tous droits réservés", "todos os direitos",
	"todos los derechos",
	"share this", "like this story", "follow us", "subscribe", "sign up", "newsletter", "get the latest", "read more", "read also",
	"see also", "also read", "related:",
	"related articles", "more from", "more on this", "you may also", "you might also", "recommended", "disclaimer", "tags", "filed under",
	"topics:",
	"click here", "comments", "leave a comment", "leave a reply", "join the conversation", "view comments", "if you buy",
	"this post may contain",
	"download our app", "advertisement", "posted in", "photo:", "photos:", "image:", "source:", "about the author",
	"lesen sie auch", "mehr zum thema", "das könnte sie auch", "teilen", "kommentare", "folgen sie uns", "weitere artikel", "quelle:",
	"lire aussi", "à lire", "partager", "suivez-nous", "abonnez-vous", "sur le même sujet", "lea también", "lee también", "leer más",
	"compartir", "síguenos", "suscríbete", "te puede interesar",
	"leia também", "leia mais", "veja também", "compartilhe", "siga-nos", "saiba mais", "assine", "atenção:", "leggi anche", "condividi",
	"seguici", "iscriviti",
	"lees ook", "lees meer", "deel dit", "volg ons", "läs också", "läs mer", "læs også", "les også", "czytaj także", "czytaj też",
	"zobacz też", "zobacz także", "udostępnij", "przeczytaj także",
	"čtěte také", "prečítajte si", "olvassa el", "citeste si", "citește și", "читайте также", "подпис", "поделиться", "читайте також",
	"ayrıca okuyun", "baca juga", "関連記事", "관련기사", "無断転載", "무단전재", "저작권자",
}

// dropTail leaves out what follows the last sentence of the text: from the end
// backwards as long as lines look like it, and a few further lines between.
func (p *page) dropTail() {
	kept := p.keptBlocks()
	total := 0
	for _, b := range kept {
		total += b.letters
	}
	dropped := 0
	for i := len(kept) - 1; i > 0 && len(kept)-i <= 12; i-- {
		b := kept[i]
		if !tailLike(b) {
			if b.prose() {
				break
			}
			continue
		}
		for _, after := range kept[i:] {
			if after.kept {
				dropped += after.letters
			}
		}
		if dropped*4 > total {
			break
		}
		for _, after := range kept[i:] {
			after.kept = false
		}
	}
}

func tailLike(b *block) bool {
	text := strings.ToLower(strings.TrimLeftFunc(b.Text, func(r rune) bool {
		return unicode.IsPunct(r) && r != '©' && r != '(' || unicode.IsSpace(r) || unicode.IsSymbol(r) && r != '©'
	}))
	if b.links > 0.6 || b.heading > 0 || len(b.words) == 0 {
		return true
	}
	for _, phrase := range tailPhrases {
		if strings.HasPrefix(text, phrase) {
			return true
		}
	}
	if len(b.words) > 45 {
		return false
	}
	return slices.ContainsFunc(callPhrases, func(call string) bool { return strings.Contains(text, call) })
}

// callPhrases make a short paragraph at the end a call rather than a sentence.
var callPhrases = []string{
	"click here", "sign up", "subscribe", "newsletter", "follow us", "all rights reserved", "download the app", "our app", "tap here",
	"hier klicken",
	"abonnieren", "folgen sie", "abonnez", "inscrivez-vous", "suscríb", "haz clic", "clique aqui", "inscreva", "iscriviti", "clicca qui",
	"schrijf je in", "klik hier", "prenumerera", "kliknij", "zapisz się",
	"подпишитесь", "подписывайтесь", "rights reserved", "reporting by", "writing by", "editing by",
}

// dropSelfPortrait leaves out what a press release says of its sender at the end,
// under a line such as "About the company".
func (p *page) dropSelfPortrait() {
	kept := p.keptBlocks()
	total := 0
	for _, b := range kept {
		total += b.letters
	}
	rest := 0
	for i := len(kept) - 1; i > len(kept)/3; i-- {
		rest += kept[i].letters
		if rest*100 > total*45 {
			return
		}
		if w := kept[i].words; len(w) >= 2 && len(w) <= 6 && aboutWords[w[0]] && !strings.ContainsAny(kept[i].Text, ".!?") {
			for _, b := range kept[i:] {
				b.kept = false
			}
			return
		}
	}
}

var aboutWords = text.Set("about über acerca à informazioni")

// dropRepeats leaves out a long block that stands there twice: the copy for small
// screens, the pulled quote.
func (p *page) dropRepeats() {
	seen := map[string]bool{}
	for _, b := range p.blocks {
		if !b.kept || len(b.words) < 8 {
			continue
		}
		key := strings.Join(b.words, " ")
		if seen[key] {
			b.kept = false
		}
		seen[key] = true
	}
}

// dropLooseHeadings leaves out headings with nothing below them, and list entries
// that are links alone.
func (p *page) dropLooseHeadings() {
	below := 0
	for i := len(p.blocks) - 1; i >= 0; i-- {
		b := p.blocks[i]
		switch {
		case !b.kept:
		case b.heading > 0 && below == 0:
			b.kept = false
		case b.heading > 0:
			below = 0
		case b.Node.DataAtom == atom.Li && b.links > 0.9 && len(b.words) < 4:
		default:
			below++
		}
	}
}
