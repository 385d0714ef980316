package demo

import "strings"

// sentences draws filler text.
func sentences(d *dice, lang string, count int) string {
	return strings.Join(picks(d, prose[lang], count), " ")
}

// prose is plain sentences, by language, that fit under almost anything, and by
// subject where a site needs its own.
var prose = map[string][]string{
	"jobs": {"You will join a team of seven and report to the head of operations.", "We offer health insurance from day one.",
		"Two years of experience are welcome but not required.", "Shifts rotate every two weeks.",
		"You write clearly and ask before you guess.", "A valid driver’s license is required.",
		"We pay for training and give you the time for it.", "The role includes occasional travel within New England.",
		"You will own the on-call rotation together with three colleagues.", "Weekend work is paid at one and a half times the rate.",
		"Expect a small office, good coffee and few meetings.", "A background check is part of the process.",
		"We match retirement savings up to five percent.", "Send us something you are proud of."},
	"news": {"Councillors voted eleven to four in favour after a debate of nearly three hours.", "The harbour master called the figures “a pleasant surprise”.",
		"Work is due to begin before the end of the month.", "Residents of Chapel Row had collected more than 900 signatures.",
		"A spokeswoman for the county declined to comment.", "The last survey was carried out in 1998.",
		"Costs have risen by a third since the first estimate.", "Nobody was hurt, the fire service said.",
		"The plans can be seen at the town hall until Friday.", "“We have waited long enough,” said one trader on Market Street.",
		"Two rival proposals were rejected earlier this year.", "The decision may still be challenged in court.",
		"Visitors from as far as Bristol had queued since dawn.", "An earlier version of the scheme would have closed the footpath.",
		"The trust hopes to raise the remaining £40,000 by summer.", "Traffic will be diverted along Quay Road."},
	"en": {"Doors open half an hour before the start.", "The programme may still change.",
		"Bring a friend and stay for a drink afterwards.", "Last year every place was taken within a week.",
		"The team has worked on this for many months.", "Those who come early find the best places.",
		"Nothing like it has been tried here before.", "It rained all through the first rehearsal, and nobody left.",
		"A short introduction is given in the foyer.", "The old building was repaired with the help of 240 volunteers.",
		"You will find the nearest tram stop around the corner.", "Please tell us in advance if you need a wheelchair place.",
		"What began as a joke has become a tradition.", "The bar serves simple food until late."},
	"pl": {"Drzwi otwieramy pół godziny przed początkiem.", "Program może jeszcze ulec zmianie.",
		"W zeszłym roku wszystkie miejsca rozeszły się w tydzień.", "Zespół pracował nad materiałem przez wiele miesięcy.",
		"Kto przyjdzie wcześniej, znajdzie najlepsze miejsca.", "Czegoś takiego jeszcze tu nie było.",
		"Krótkie wprowadzenie odbędzie się we foyer.", "Przystanek tramwajowy znajduje się tuż za rogiem.",
		"To, co zaczęło się od żartu, stało się tradycją.", "Bar serwuje proste dania do późna.",
		"Prosimy o wcześniejsze zgłoszenie miejsc dla wózków.", "Artyści wracają na tę scenę po siedmiu latach przerwy."},
	"de": {"Einlass ist eine halbe Stunde vor Beginn.", "Das Programm kann sich noch ändern.",
		"Im letzten Jahr waren alle Plätze nach einer Woche vergeben.", "Das Ensemble hat viele Monate daran gearbeitet.",
		"Wer früh kommt, findet die besten Plätze.", "So etwas hat es hier noch nie gegeben.",
		"Eine kurze Einführung gibt es im Foyer.", "Die nächste Haltestelle liegt gleich um die Ecke.",
		"Was als Scherz begann, ist längst Tradition.", "Die Küche hat bis spät geöffnet.",
		"Bitte melden Sie Rollstuhlplätze vorher an.", "Bei Regen findet alles im großen Zelt statt."},
	"nl": {"Gemaakt voor dagelijks gebruik in weer en wind.", "Wij monteren gratis in onze werkplaats.",
		"Vijf jaar garantie op het frame.", "Het lichte materiaal maakt het verschil op lange ritten.",
		"Past op de meeste modellen van na 2012.", "Een favoriet van onze eigen monteurs.",
		"De kleur kan iets afwijken van de foto.", "Inclusief handleiding en gereedschap.",
		"Getest op kasseien, in duinzand en in de stad.", "Wordt geleverd in een doos van gerecycled karton.",
		"Het slot is met één hand te bedienen.", "Onderhoud is eenvoudig en onderdelen blijven leverbaar."},
	"nb": {"Alle er velkommen, også uten medlemskap.", "Vi møtes hver annen uke gjennom hele året.",
		"Lokallaget ble stiftet av fem naboer.", "Ta med kaffekopp og godt humør.", "Vi trenger alltid flere hender.",
		"Inngangen er fra bakgården.", "Barn kan delta sammen med en voksen.",
		"I fjor samlet vi inn over fire tonn søppel langs elva.", "Utstyr lånes gratis på stedet.",
		"Nye frivillige får opplæring.", "Det er god plass til sykler utenfor.",
		"Vi samarbeider med kommunen og skolene i området."},
	"fr": {"Les portes ouvrent une demi-heure avant le début.", "Le programme peut encore évoluer.",
		"L’an dernier, toutes les places étaient prises en une semaine.", "L’équipe y travaille depuis de longs mois.",
		"Une courte introduction est donnée dans le hall.", "L’arrêt de tram le plus proche est au coin de la rue.",
		"Ce qui n’était qu’une plaisanterie est devenu une tradition.",
		"Merci de signaler à l’avance les besoins d’accessibilité.", "La traduction simultanée est assurée.",
		"Les supports seront mis en ligne après la session.", "Un temps d’échange suit chaque intervention.",
		"Le déjeuner est servi dans la cour."},
	"es": {"Las puertas se abren media hora antes.", "El programa puede sufrir cambios.",
		"El año pasado se agotaron todas las plazas en una semana.", "El equipo lleva meses preparándolo.",
		"Quien llega pronto encuentra el mejor sitio.", "Nunca se había hecho nada parecido en el barrio.",
		"Habrá una breve presentación en el vestíbulo.", "La parada de autobús está a la vuelta de la esquina.",
		"Lo que empezó como una broma ya es tradición.", "Trae ropa cómoda y agua.", "Los menores deben venir acompañados.",
		"Al terminar compartimos una merienda."},
	"it": {"Le porte aprono mezz’ora prima dell’inizio.", "Il programma può subire variazioni.",
		"L’anno scorso tutti i posti sono andati esauriti in una settimana.", "Il gruppo ci ha lavorato per molti mesi.",
		"Una breve introduzione si tiene nell’atrio.", "La fermata del tram è dietro l’angolo.",
		"Quello che era nato per scherzo è diventato una tradizione.", "Le opere provengono da collezioni private.",
		"Il catalogo è disponibile in libreria.", "L’allestimento è a cura di un giovane studio.", "La visita dura circa un’ora.",
		"L’ultimo ingresso è un’ora prima della chiusura."},
}

// thorny are titles that break careless markup: quotes, ampersands, things that
// look like tags, emoji, right-to-left script.
var thorny = []string{
	`"Tom & Jerry" <b>Live</b> – it's 100% fun`,
	`Noć 🎷 & Dzień 🎻: jazz <script>alert(1)</script> brunch`,
	`ליל הג׳אז – Night of Klezmer`,
	`AC/DC's "Tribute" > Originál? {{ encore }}`,
	`مهرجان الربيع (Spring Festival)`,
	"Café Müller & Söhne © 2026",
}
