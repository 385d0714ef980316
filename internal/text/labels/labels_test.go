package labels

import "testing"

func TestLabelsOfManyLanguages(t *testing.T) {
	for label, want := range map[string]Meaning{
		"Price:": Price, "Kiedy": Date, "Gdzie:": Place, "Wann?": Date, "Prix": Price, "Date posted": Published, "Bewerbungsschluss": Deadline,
		"Employment type": Contract, "By": Person, "Veranstalter:": Organizer, "EMPRESA": Company, "住所": Address, "Телефон": Phone,
		"Място на провеждане": Place, "Dátum a čas:": Date, "Ημερομηνία": Date, "Hind": Price, "Kaina:": Price, "Цена": Price, "Ulaznice:": Price,
		"स्थान:": Place, "समय": Time, "Địa điểm:": Place, "ราคา": Price, "主催": Organizer, "Rok za prijave": Deadline, "On": Unknown, "Non": Unknown,
		"": Unknown, "12": Unknown, "Brand name": Unknown, "Add to basket": Unknown,
		"The price of everything that we have ever sold in our shop": Unknown,
	} {
		t.Run(label, func(t *testing.T) {
			if got := Of(label); got != want {
				t.Errorf("%q: got %q, want %q", label, got, want)
			}
		})
	}
}

func TestAWordAmongOthersIsNoLabelByItself(t *testing.T) {
	if got := Exact("Posted today"); got != Unknown {
		t.Errorf("got %q", got)
	}
	if got := Of("Posted today"); got != Published {
		t.Errorf("got %q", got)
	}
}

func TestLabelsOfNumbersOfThings(t *testing.T) {
	for label, want := range map[string]bool{"Number": true, "Ref.": true, "Reference:": true, "Application no.": true, "Aktenzeichen": true,
		"Vorgangsnummer": true, "Numéro de dossier": true, "N°": true, "DA Number": true, "Номер": true,
		"Price": false, "Fee": false, "Reference price": false, "Name": false, "": false, "No price is lower than ours, we say every day": false} {
		t.Run(label, func(t *testing.T) {
			if got := NumbersThings(label); got != want {
				t.Errorf("%q: %v", label, got)
			}
		})
	}
}

func TestWordsOfNames(t *testing.T) {
	got := Words("product-card__priceNow 12")
	if len(got) != 4 || got[2] != "price" || got[3] != "now" {
		t.Errorf("got %q", got)
	}
}

func TestLastDaysToApplyAreDeadlinesInManyLanguages(t *testing.T) {
	for _, label := range []string{"Antragsfrist", "Angebotsfrist", "Termen limită depunere", "Lhůta pro podání nabídek", "Sista anbudsdag", "Closing date"} {
		t.Run(label, func(t *testing.T) {
			if got := Of(label); got != Deadline {
				t.Errorf("%s: %v", label, got)
			}
		})
	}
}
