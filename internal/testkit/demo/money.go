package demo

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// formatMoney writes an amount of minor units like an example: "1.234,56 €",
// "£1,234.56", "1 234 zł". An example without decimals drops them when they
// are zero and writes them after a point of its kind when they are not.
func formatMoney(example string, minor int64) string {
	head, rest, _ := strings.Cut(example, "1")
	group, rest, _ := strings.Cut(rest, "234")
	decimal, tail := "", rest
	if before, after, found := strings.Cut(rest, "56"); found {
		decimal, tail = before, after
	}
	text := grouped(minor/100, group)
	switch cents := minor % 100; {
	case decimal != "":
		text += fmt.Sprintf("%s%02d", decimal, cents)
	case cents != 0 && group == ",":
		text += fmt.Sprintf(".%02d", cents)
	case cents != 0:
		text += fmt.Sprintf(",%02d", cents)
	}
	return head + text + tail
}

func grouped(n int64, group string) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + group + digits[i:]
	}
	return digits
}

// formatDecimal writes a number with one decimal after the given point.
func formatDecimal(point string, number float64) string {
	return strings.Replace(strconv.FormatFloat(math.Round(number*10)/10, 'f', 1, 64), ".", point, 1)
}
