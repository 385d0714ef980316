package feasibility

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"curlew/internal/read/dom"
)

// direction is where a link says that it leads.
type direction int

const (
	nowhere direction = iota
	forward
	backward
	toFirst
	toLast
	toOlder // in time: further into a list that shows the newest first
	toNewer
	toMore
)

// pagingWords are what people write on such links, by direction. A word alone
// proves nothing: structure has to agree.
var pagingWords = map[direction]string{
	forward: "next nächste nächster weiter vorwärts suivant suivante suivants siguiente siguientes próxima próximo proxima proximo " +
		"seguinte seguente successiva successivo avanti prossima volgende następna następny następne dalej další dalsi ďalšia ďalej " +
		"следующая следующий следующие след вперед вперёд далее наступна nästa neste næste seuraava következő următoarea următor " +
		"επόμενη επόμενο επόμενα sonraki ileri التالي التالية بعدی הבא अगला পরবর্তী ถัดไป sau tiếp berikutnya selanjutnya seterusnya " +
		"sljedeća следеће naslednja järgmine tālāk kitas 다음 次 次へ 次の 下一页 下一頁 下页 下頁 後へ " +
		"nächstes prochain prochaine següent següents hurrengoa sljedeći sljedeće sledeća sledeći sledeće следећа следећи naslednji naslednje naprej nasledujúca nasledujúce následující ďalší " +
		"ďalšie следваща следващ следващи напред следна следен наступний наступні далі наступная далей järgmised edasi nākamā nākamais nākošā toliau næsta áfram tjetra tjetër " +
		"შემდეგი հաջորդ հաջորդը növbəti keyingi келесі дараагийн următoarele înainte tovább seuraavat επόμενες nesaf volgend अगले अगली पुढे पुढील அடுத்த அடுத்து తదుపరి આગળ ਅਗਲਾ اگلا หน้าถัดไป " +
		"susunod 다음페이지",
	backward: "previous prev back zurück vorherige précédent précédente anterior anteriores precedente indietro vorige poprzednia poprzedni " +
		"poprzednie wstecz předchozí predchozi předešlé предыдущая предыдущий пред назад föregående forrige edellinen előző anterioară " +
		"προηγούμενη προηγούμενο önceki geri السابق السابقة قبلی הקודם पिछला পূর্ববর্তী ก่อนหน้า trước sebelumnya 이전 前 前へ 前の 上一页 上一頁 上页 上頁 " +
		"vorheriger vorheriges précédents precedentes anteriors aurrekoa prethodna prethodni prethodno претходна претходни prejšnja prejšnji prejšnje nazaj predchádzajúca " +
		"predchádzajúce predošlá předchozí späť zpět предишна предишен предишни претходен попередня попередній назад папярэдняя eelmine eelmised tagasi iepriekšējā iepriekšējais atpakaļ ankstesnis ankstesnė atgal " +
		"fyrri წინა նախորդ əvvəlki oldingi алдыңғы өмнөх înapoi vissza edelliset takaisin προηγούμενες blaenorol पिछले पिछली मागील முந்தைய మునుపటి પાછળ ਪਿਛਲਾ پچھلا หน้าก่อน nakaraang 이전페이지",
	toFirst: "first erste anfang début premier première primera primero primeira prima primo eerste pierwsza první start начало первая " +
		"första første ensimmäinen első πρώτη ilk الأول اولین نخست প্রথম đầu pertama 처음 最初 首页 第一页 先頭 " +
		"erster primeiro primeras première eerst pierwszy prvi prva прва prvá prvý първа перша esimene pirmā pirmas pirma fyrsta primul birinci ראשון पहला แรก 首頁",
	toLast: "last letzte ende dernier dernière fin última último ultima ultimo laatste einde ostatnia poslední конец последняя sista siste " +
		"viimeinen utolsó τελευταία son الأخير آخرین শেষ cuối terakhir 끝 最後 最后 末页 尾页 end " +
		"letzter derniers posledná posledný zadnja zadnji posljednja posljednji последња последна остання viimane pēdējā paskutinis síðasta ultimul sonuncu אחרון अंतिम สุดท้าย 末頁 尾頁 마지막",
	toOlder: "older ältere anciens antiguas antiguos antigas vecchi ouder oudere starsze starší старые раньше ældre eldre äldre vanhemmat " +
		"παλαιότερα eski 過去 過去の 以前 " +
		"anciennes vecchie antigos oudste starejše stariji старији staršie стари старіші vanemad vecāki senesni eldri régebbi पुराने 이전글",
	toNewer: "newer neuere récents nuevas recientes novas recenti nieuwer nieuwere nowsze novější новые nyere nyare uudemmat νεότερα yeni 新しい " +
		"récentes nuove nuovi novos novejše noviji новији novšie нови новіші uuemad jaunāki naujesni nýrri újabb नए terbaru 최신",
	toMore: "more mehr plus más mais altro altri meer więcej více ещё еще mer flere lisää több περισσότερα daha المزيد بیشتر עוד thêm lainnya 더 もっと 更多 " +
		"més gehiago više več viac више повече още більше ще rohkem veel vairāk daugiau meira მეტი ավելին अधिक เพิ่มเติม 더보기 もっと見る",
}

var wordDirections = invert(pagingWords)

func invert(table map[direction]string) map[string]direction {
	words := map[string]direction{}
	for d := forward; d <= toMore; d++ {
		for _, w := range strings.Fields(table[d]) {
			words[w] = d
		}
	}
	return words
}

// spoken is the direction that a short label names. Long texts are headlines, in
// which "next" means anything.
func spoken(label string) direction {
	if label == "" || utf8.RuneCountInString(label) > 40 {
		return nowhere
	}
	words := strings.FieldsFunc(strings.ToLower(label), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r)
	})
	if len(words) == 0 || len(words) > 5 {
		return nowhere
	}
	found := nowhere
	for _, w := range words {
		d := wordDirections[w]
		if d == nowhere {
			d = unspaced(w)
		}
		if d == nowhere {
			continue
		}
		if found == nowhere || found == toMore || d == toOlder || d == toNewer {
			found = d
		}
	}
	return found
}

// unspaced finds the direction in scripts that write no spaces.
func unspaced(word string) direction {
	r, _ := utf8.DecodeRuneInString(word)
	if !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
		return nowhere
	}
	for _, prefix := range []string{"下一", "次", "上一", "前", "過去", "新しい", "最初", "最後", "最后", "もっと", "更多", "ถัดไป"} {
		if strings.HasPrefix(word, prefix) {
			if d, ok := wordDirections[prefix]; ok {
				return d
			}
			return map[string]direction{"下一": forward, "上一": backward}[prefix]
		}
	}
	return nowhere
}

const (
	rightArrows = "→»›>▶►⇒⟩❯≫▸⏵➡⟶"
	leftArrows  = "←«‹<◀◄⇐⟨❮≪◂⏴⬅⟵"
)

// arrow is where the arrows of a label point.
func arrow(label string) direction {
	if utf8.RuneCountInString(label) > 40 {
		return nowhere
	}
	right, left := strings.ContainsAny(label, rightArrows), strings.ContainsAny(label, leftArrows)
	switch {
	case right == left:
		return nowhere
	case right:
		return forward
	}
	return backward
}

func relation(rel string) direction {
	for _, word := range strings.Fields(strings.ToLower(rel)) {
		switch word {
		case "next":
			return forward
		case "prev", "previous":
			return backward
		}
	}
	return nowhere
}

// marks is the direction that the class names and ids of a link, of the elements
// that wrap it alone, and of the icons in it name.
func marks(n *html.Node) direction {
	d := markOf(n)
	for up := n.Parent; d == nowhere && up != nil && wraps(up, n); up = up.Parent {
		d = markOf(up)
	}
	if d != nowhere {
		return d
	}
	seen := 0
	for c := range n.Descendants() {
		if seen++; seen > 12 {
			break
		}
		if c.Type == html.ElementNode {
			if d = markOf(c); d != nowhere {
				return d
			}
		}
	}
	return nowhere
}

// mostWrappers is how many elements around a link may name its direction.
const mostWrappers = 3

// wraps says whether an element closely around a link holds no other.
func wraps(up, link *html.Node) bool {
	steps := 0
	for n := link; n != up; n = n.Parent {
		steps++
	}
	return steps <= mostWrappers && onlyLink(up)
}

func onlyLink(p *html.Node) bool {
	links, seen := 0, 0
	for c := range p.Descendants() {
		if seen++; seen > 30 {
			return false
		}
		if c.Type == html.ElementNode && c.Data == "a" {
			links++
		}
	}
	return links == 1
}

// markDirections are class names of links that lead somewhere: makers of templates
// write them in English, whatever the language of the page.
var markDirections = invert(map[direction]string{
	forward:  "next nxt pagenext nextpage nextpostslink forward",
	backward: "prev previous prv pageprev prevpage previouspostslink",
	toOlder:  "older", toNewer: "newer",
})

func markOf(n *html.Node) direction {
	for _, name := range strings.FieldsFunc(strings.ToLower(dom.Attr(n, "class")+" "+dom.Attr(n, "id")), notLetter) {
		if d := markDirections[name]; d != nowhere {
			return d
		}
	}
	return nowhere
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// pageNames are the words that stand before a number of a page.
var pageNames = wordSet("page pages p pg seite seiten pagina página pág pag paginas strona str stránka страница стр сторінка sida side " +
	"sivu oldal σελίδα sayfa صفحة صفحه עמוד trang halaman laman ページ 第 页 頁 頁目 페이지 stranica страница страна strana leht lehekülg puslapis lappuse lapa síða pàgina orria " +
	"səhifə bet бет старонка pagină pagina გვერდი էջ หน้า पृष्ठ পৃষ্ঠা blaðsíða goto go to gehe zu aller à ir a to current")

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// pageNumber is the number of a page when a label says nothing else: "2",
// "[2]", "1,094", "Page 2", "第2页". It is 0 otherwise.
func pageNumber(label string) int {
	if label == "" || len(label) > 48 {
		return 0
	}
	number, digits, runs := 0, 0, 0
	var word strings.Builder
	inDigits := false
	runes := []rune(label)
	for i, r := range runes {
		value := digit(r)
		switch {
		case value >= 0:
			if !inDigits {
				runs++
			}
			inDigits = true
			number, digits = number*10+value, digits+1
		case inDigits && (r == ',' || r == '.' || r == ' ' || r == '\u00a0') && thousands(runes[i+1:]):
		default:
			inDigits = false
			if unicode.IsLetter(r) || unicode.IsMark(r) {
				word.WriteRune(unicode.ToLower(r))
			} else if strings.ContainsRune("%€$£:/+*=&@", r) {
				return 0
			} else {
				word.WriteByte(' ')
			}
		}
		if digits > 6 {
			return 0
		}
	}
	if runs != 1 {
		return 0
	}
	for _, w := range strings.Fields(word.String()) {
		if !pageNames[w] {
			return 0
		}
	}
	return number
}

// thousands says whether exactly three digits follow.
func thousands(rest []rune) bool {
	n := 0
	for n < len(rest) && digit(rest[n]) >= 0 {
		n++
	}
	return n == 3
}

// digit is the value of a decimal digit of any script, or -1.
func digit(r rune) int {
	if r >= '0' && r <= '9' {
		return int(r - '0')
	}
	if r < 0x80 || !unicode.Is(unicode.Nd, r) {
		return -1
	}
	// The digits of a script stand in a row of ten, beginning with zero.
	value := 0
	for value < 9 && unicode.Is(unicode.Nd, r-rune(value)-1) {
		value++
	}
	return value
}
