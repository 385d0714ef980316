package language_test

import (
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/growth"
	"github.com/curlew-data/curlew/internal/text/language"
)

func TestTextInManyLanguages(t *testing.T) {
	for want, text := range map[string]string{
		"en":  "The council will meet on Tuesday to decide whether the old library should be kept open for another year.",
		"de":  "Der Stadtrat entscheidet am Dienstag, ob die alte Bibliothek noch ein weiteres Jahr geöffnet bleibt.",
		"pl":  "Rada miasta zdecyduje we wtorek, czy stara biblioteka będzie otwarta przez kolejny rok, jak chcą mieszkańcy.",
		"cs":  "Městská rada v úterý rozhodne, zda bude stará knihovna otevřena ještě další rok, nebo se zavře.",
		"sk":  "Mestská rada v utorok rozhodne, či bude stará knižnica otvorená ešte ďalší rok, alebo sa zatvorí.",
		"nb":  "Kommunestyret skal på tirsdag avgjøre om det gamle biblioteket blir holdt åpent ett år til etter at noen klaget.",
		"da":  "Byrådet skal på tirsdag afgøre, om det gamle bibliotek bliver holdt åbent et år mere, efter at nogen klagede.",
		"sv":  "Kommunfullmäktige ska på tisdag avgöra om det gamla biblioteket får hållas öppet ett år till efter klagomål.",
		"nl":  "De gemeenteraad beslist dinsdag of de oude bibliotheek nog een jaar open mag blijven voor het publiek.",
		"fr":  "Le conseil municipal décidera mardi si la vieille bibliothèque doit rester ouverte pendant une année de plus.",
		"es":  "El ayuntamiento decidirá el martes si la vieja biblioteca debe seguir abierta durante un año más para los vecinos.",
		"ca":  "L'ajuntament decidirà dimarts si la vella biblioteca ha de seguir oberta durant un any més per als veïns amb carnet.",
		"pt":  "A câmara municipal decidirá na terça-feira se a velha biblioteca deve ficar aberta por mais um ano para todos.",
		"it":  "Il consiglio comunale deciderà martedì se la vecchia biblioteca debba restare aperta per un altro anno.",
		"hu":  "A városi tanács kedden dönti el, hogy a régi könyvtár még egy évig nyitva maradjon, vagy bezárják.",
		"fi":  "Kaupunginvaltuusto päättää tiistaina, pidetäänkö vanha kirjasto auki vielä vuoden ja mitä sen jälkeen tapahtuu.",
		"tr":  "Belediye meclisi salı günü eski kütüphanenin bir yıl daha açık kalması için karar verecek ve bunu duyuracak.",
		"hr":  "Gradsko vijeće u utorak odlučuje hoće li stara knjižnica ostati otvorena tijekom još jedne godine i tko plaća.",
		"id":  "Dewan kota akan memutuskan pada hari Selasa apakah perpustakaan lama itu bisa tetap buka karena warga sudah meminta.",
		"ru":  "Городской совет решит во вторник, будет ли старая библиотека открыта ещё один год.",
		"uk":  "Міська рада вирішить у вівторок, чи буде стара бібліотека відкрита ще один рік.",
		"bg":  "Градският съвет ще реши във вторник дали старата библиотека да остане отворена още една година.",
		"el":  "Το δημοτικό συμβούλιο",
		"ja":  "市議会は火曜日に決める。",
		"zh":  "市议会将于周二决定。",
		"ko":  "시의회는 화요일에 결정한다.",
		"th":  "สภาเทศบาลจะตัดสินใจ",
		"he":  "מועצת העיר תחליט ביום שלישי אם הספרייה הישנה תישאר פתוחה, כי אנשים רבים ביקשו זאת של כל העיר",
		"ar":  "سيقرر مجلس المدينة يوم الثلاثاء ما إذا كانت المكتبة القديمة ستبقى مفتوحة في هذا العام من أجل الناس",
		"hi":  "नगर परिषद मंगलवार को तय करेगी कि पुराना पुस्तकालय एक और साल के लिए खुला रहेगा या नहीं।",
		"vi":  "Hội đồng thành phố sẽ quyết định vào thứ ba rằng thư viện cũ có được mở cửa cho người dân hay không.",
		"fil": "Ang konseho ng lungsod ay magpapasya sa Martes kung ang lumang aklatan ay mananatiling bukas para sa mga tao.",
	} {
		t.Run(want, func(t *testing.T) {
			if got, sure := language.OfText(text); got != want || sure <= 0 || sure > 1 {
				t.Errorf("%s taken for %q (%.2f): %s", want, got, sure, text)
			}
		})
	}
}

func TestShortTextHasNoLanguage(t *testing.T) {
	for _, text := range []string{"", "Home", "OK", "Login | Menu", "2024-05-01 19:00", "https://example.com/the/and/of", "…", "iPhone 15 Pro"} {
		t.Run(text, func(t *testing.T) {
			if got, sure := language.OfText(text); got != "" || sure != 0 {
				t.Errorf("%q taken for %q (%.2f)", text, got, sure)
			}
		})
	}
}

const polish = "Rada miasta zdecyduje we wtorek, czy stara biblioteka będzie otwarta przez kolejny rok. Mieszkańcy chcą, aby została, ponieważ nie ma w okolicy innego miejsca, do którego dzieci mogłyby przyjść po szkole. Burmistrz powiedział, że decyzja jest trudna i że pieniędzy jest mało, ale jeszcze nic nie zostało postanowione."

func TestPageIsNotWhatItsTemplateSays(t *testing.T) {
	for name, c := range map[string]struct{ page, want string }{
		"says nothing":              {`<p>` + polish, "pl"},
		"says English, is Polish":   {`<html lang="en"><p>` + polish, "pl"},
		"says Polish":               {`<html lang="pl-PL"><p>` + polish, "pl"},
		"og:locale is right":        {`<html lang="en"><meta property="og:locale" content="pl_PL"><p>` + polish, "pl"},
		"has too little text":       {`<html lang="sv-SE"><p>Hej`, "sv"},
		"says Serbian, may be both": {`<html lang="sr"><p>Gradsko veće je na sednici. Ovo je stranica.`, "sr"},
		"says nonsense":             {`<html lang="{{ lang }}"><p>Hi`, ""},
		"by content-language":       {`<meta http-equiv="Content-Language" content="de, en"><p>Hallo`, "de"},
		"old name of Norwegian":     {`<html lang="no"><p>Hei`, "nb"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := dom.New([]byte(c.page), "https://example.com/").Language(); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestPrimary(t *testing.T) {
	for in, want := range map[string]string{"en-GB": "en", "en_US": "en", " DE ": "de", "hau": "ha", "cmn-Hans": "zh", "no": "nb", "und": "", "x!": "", "iw": "he"} {
		t.Run(in, func(t *testing.T) {
			if got := language.Primary(in); got != want {
				t.Errorf("%q: %q, want %q", in, got, want)
			}
		})
	}
}

func TestHugeTextIsBounded(t *testing.T) {
	growth.Inputs{
		"one word":  growth.Fill("", "ż", ""),
		"words":     growth.Fill("", "the ", ""),
		"no letter": growth.Fill("", "1 ", ""),
		"accents":   growth.Fill("a", "\u0301", ""),
	}.Check(t, 8<<20, func(text string) func() {
		return func() { language.OfText(text) }
	})
}

func FuzzOfText(f *testing.F) {
	f.Add("Der Stadtrat entscheidet am Dienstag, ob die alte Bibliothek bleibt")
	f.Add("日本語とEnglish mixed\x00\xff")
	f.Fuzz(func(t *testing.T, text string) {
		tag, sure := language.OfText(text)
		if again, same := language.OfText(text); again != tag || same != sure {
			t.Fatalf("%q: %s %f, then %s %f", text, tag, sure, again, same)
		}
		if sure < 0 || sure > 1 || tag == "" && sure != 0 {
			t.Fatalf("%q: %q is %f sure", text, tag, sure)
		}
	})
}

func TestNamesDoNotOverruleThePage(t *testing.T) {
	names := "Anders Sørensen, Kirsten Holm, Lars Vinter\nMette Skov, Jens Bakke, Inge Lund\nNørrebro Værksted, Østerbro Glas\nSølv, Læder, Træ, Keramik, Vævning\n"
	page := `<html lang="en"><body><h1>Workshops</h1><pre>` + strings.Repeat(names, 4) + `</pre></body></html>`
	if tag := dom.New([]byte(page), "https://site.example/").Language(); tag != "en" {
		t.Errorf("a page that says en and shows names is %q", tag)
	}
	prose := "Wir treffen uns am Hafen und sehen die alten Schiffe, die nicht mehr fahren. Alle sind willkommen, und es gibt Kaffee " +
		"für die, die vor neun Uhr kommen. Bitte bringen Sie warme Kleidung mit, denn am Wasser ist es auch im Sommer kalt."
	page = `<html lang="en"><body><p>` + strings.Repeat(prose+" ", 3) + `</p></body></html>`
	if tag := dom.New([]byte(page), "https://site.example/").Language(); tag != "de" {
		t.Errorf("a page that says en and is written in German is %q", tag)
	}
}
