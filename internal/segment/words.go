package segment

import "strings"

// markupMeaning is what class names and properties promise. They are written in
// English on most pages, and a German tag is no day there.
var markupMeaning = meanings(map[Type]string{
	TypePlace:  `venue location place address city town room hall locality street adr`,
	TypePerson: `author authors speaker speakers artist artists performer performers teacher lecturer byline username fullname autor auteur`,
	TypeStatus: `status availability stock badge soldout`,
})

// labelMeaning is what column headings and labels promise.
var labelMeaning = meanings(map[Type]string{
	TypePlace: `venue location place address where city town room hall stage locality area region street ort adresse raum saal stadt bühne veranstaltungsort wo
		lieu adresse salle ville endroit où lugar dirección sala ciudad sede dónde luogo indirizzo città spazio dove local endereço cidade onde
		plaats locatie adres zaal stad waar miejsce adres sala miasto gdzie místo adresa kde plats adress lokal stad var sted adresse by hvor paikka osoite
		missä место адрес город где место місце адреса місто 地点 地址 场所 場所 住所 会場 장소 주소 지역 مكان עיר yer adres şehir helyszín cím τόπος`,
	TypePerson: `author authors speaker speakers artist artists performer performers teacher lecturer host editor contributor byline by username user fullname
		autor autorin redner referent referentin künstler sprecher verfasser auteur intervenant intervenants artiste conférencier autor ponente artista orador
		autore relatore artista autor palestrante artista auteur spreker artiest autor prelegent artysta wykonawca autor řečník författare talare konstnär
		forfatter taler kunstner tekijä puhuja автор спикер артист лектор автор доповідач 作者 作家 讲者 演讲者 著者 講師 저자 강사 강연자 مؤلف yazar konuşmacı szerző előadó`,
	TypeStatus: `status state availability stock available badge voorraad beschikbaarheid verfügbarkeit lager zustand disponibilité statut stock disponibilidad
		estado disponibilità stato disponibilidade estado status stan dostępność dostupnost stav tillgänglighet lagerstatus tilgjengelighet saatavuus
		наличие статус наявність 库存 状态 在庫 状態 재고 상태 stok durum elérhetőség állapot`,
	TypePrice: `price cost fee preis kosten eintritt prix tarif precio coste tarifa prezzo costo ingresso preço custo prijs kosten cena koszt wstęp bilety pris hinta
		цена стоимость ціна вартість 价格 价钱 価格 料金 가격 요금 fiyat ücret ár τιμή salary gehalt lohn salaire salario lønn wynagrodzenie`,
	TypeDate: `date datum wann when quand fecha cuándo data quando wanneer kiedy kdy dato nar päivämäärä pvm дата когда 日期 日時 日付 날짜 تاريخ tarih dátum ημερομηνία
		posted published veröffentlicht publié publicado pubblicato gepubliceerd opublikowano день tag jour día giorno dia dag dzień`,
	TypeTime: `time uhrzeit zeit heure hora ora tijd uur godzina čas tid klokkeslett aika время час 时间 時間 시간 وقت saat idő ώρα`,
})

// titleWords name what a thing is called.
var titleWords = wordSet(`title name headline heading subject titel überschrift bezeichnung veranstaltung thema titre nom intitulé événement título nombre evento titolo nome
	evento título nome naam titel onderwerp evenement tytuł nazwa wydarzenie temat název titulek akce namn rubrik evenemang navn tittel overskrift arrangement nimi otsikko
	название заголовок имя мероприятие назва заголовок подія 标题 名称 题目 タイトル 名前 件名 제목 이름 عنوان שם başlık ad isim etkinlik cím név τίτλος όνομα meeting event product artikel item committee`)

// utility are class names that say how things look, not what they are.
var utility = wordSet(`flex grid row col column columns inline block hidden visible truncate bold italic underline text font size small large big tiny left right center top bottom middle
	wrapper wrap inner outer container content box clearfix cf active last first even odd item list link links btn button icon img image media body main meta info data details
	color red green blue gray grey white black dark light border rounded shadow bg mb mt ml mr mx my px py pt pb pl pr p m w h sm md lg xl xs css sc js jsx root base ui u a b c is has
	span div label value field cell td tr li entry primary secondary clickable card teaser tile styles style module component native desktop mobile show line`)

func meanings(lists map[Type]string) map[string]Type {
	all := map[string]Type{}
	for _, t := range []Type{TypeTime, TypeDate, TypePrice, TypeStatus, TypePerson, TypePlace} {
		for word := range strings.FieldsSeq(lists[t]) {
			all[word] = t
		}
	}
	return all
}

func wordSet(list string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		all[word] = true
	}
	return all
}
