package labels

// coarse are words for types of values. All are in lower case.
var coarse = map[Meaning]string{
	Place: `venue location place address where city town room hall stage locality area region street ort adresse raum saal stadt bühne veranstaltungsort wo
		lieu adresse salle ville endroit où lugar dirección sala ciudad sede dónde luogo indirizzo città spazio dove local endereço cidade onde
		plaats locatie adres zaal stad waar miejsce adres sala miasto gdzie místo adresa kde plats adress lokal stad var sted adresse by hvor paikka osoite
		missä место адрес город где место місце адреса місто 地点 地址 场所 場所 住所 会場 장소 주소 지역 مكان עיר yer adres şehir helyszín cím τόπος`,
	Person: `author authors speaker speakers artist artists performer performers teacher lecturer host editor contributor byline by username user fullname
		autor autorin redner referent referentin künstler sprecher verfasser auteur intervenant intervenants artiste conférencier autor ponente artista orador
		autore relatore artista autor palestrante artista auteur spreker artiest autor prelegent artysta wykonawca autor řečník författare talare konstnär
		forfatter taler kunstner tekijä puhuja автор спикер артист лектор автор доповідач 作者 作家 讲者 演讲者 著者 講師 저자 강사 강연자 مؤلف yazar konuşmacı szerző előadó`,
	Status: `status state availability stock available badge voorraad beschikbaarheid verfügbarkeit lager zustand disponibilité statut stock disponibilidad
		estado disponibilità stato disponibilidade estado status stan dostępność dostupnost stav tillgänglighet lagerstatus tilgjengelighet saatavuus
		наличие статус наявність 库存 状态 在庫 状態 재고 상태 stok durum elérhetőség állapot`,
	Price: `price cost fee preis kosten eintritt prix tarif precio coste tarifa prezzo costo ingresso preço custo prijs kosten cena koszt wstęp bilety pris hinta
		цена стоимость ціна вартість 价格 价钱 価格 料金 가격 요금 fiyat ücret ár τιμή salary gehalt lohn salaire salario lønn wynagrodzenie`,
	Date: `date datum wann when quand fecha cuándo data quando wanneer kiedy kdy dato nar päivämäärä pvm дата когда 日期 日時 日付 날짜 تاريخ tarih dátum ημερομηνία
		posted published veröffentlicht publié publicado pubblicato gepubliceerd opublikowano день tag jour día giorno dia dag dzień`,
	Time: `time uhrzeit zeit heure hora ora tijd uur godzina čas tid klokkeslett aika время час 时间 時間 시간 وقت saat idő ώρα`,
	Title: `title name headline heading subject titel überschrift bezeichnung veranstaltung thema titre nom intitulé événement título nombre evento titolo nome
	evento título nome naam titel onderwerp evenement tytuł nazwa wydarzenie temat název titulek akce namn rubrik evenemang navn tittel overskrift arrangement nimi otsikko
	название заголовок имя мероприятие назва заголовок подія 标题 名称 题目 タイトル 名前 件名 제목 이름 عنوان שם başlık ad isim etkinlik cím név τίτλος όνομα meeting event product artikel item committee`,
}

// fine are labels that say more than a type, parted by bars.
var fine = []struct {
	meaning Meaning
	phrases string
}{
	{Title, `job title|position|event name|product name|stellenbezeichnung|poste|puesto|stanowisko|offre`},
	{Person, `by|words by|written by|text by|von|par|por|di|door|av|af`},
	{Ends, `ends|end date|until|to date|ende|bis|fin|jusqu au|hasta|fine|fino al|einde|tot|do kiedy|koniec|konec|slut|loppuu|окончание|до`},
	{Date, `event date|start date|starts|starts at|begin|beginn|starts on|termin|date and time|date time|data i godzina|datum uhrzeit|date et heure|fecha y hora|data e ora|datum en tijd|when and where`},
	{Place, `venue name|event location|job location|work location|standort|arbeitsort|einsatzort|lieu de travail|ubicación|sede di lavoro|standplaats|miejsce pracy|lokalizacja|arbetsplats|työpaikka`},
	{Address, `address|venue address|street address|mailing address|adresse|anschrift|postanschrift|dirección|indirizzo|endereço|adres|adresa|adress|osoite|адрес|адреса|住所|地址|주소|cím`},
	{City, `city|town|stadt|ville|ciudad|città|cidade|stad|miasto|město|kaupunki|город|місто|şehir`},
	{Salary, `salary|pay|pay rate|salary range|compensation|wage|base salary|gehalt|lohn|vergütung|verdienst|salaire|rémunération|salario|sueldo|retribuzione|stipendio|salário|salaris|wynagrodzenie|pensja|plat|mzda|lön|løn|lønn|palkka|зарплата|оклад|зарплатня|给料|薪资|급여|maaş|bér`},
	{Price, `our price|list price|sale price|regular price|tickets|ticket price|admission|entry|entrance fee|eintrittspreis|vorverkauf|abendkasse|billets|entradas|biglietti|bilhetes|tickets vanaf|bilet|vstupné|vstupenky|biljetter|liput|билеты|квитки`},
	{Performer, `artist|artists|performer|performers|speaker|speakers|lineup|line up|with|cast|künstler|referent|referentin|sprecher|mitwirkende|besetzung|artiste|artistes|intervenant|intervenants|distribution|ponente|artista|relatore|wykonawca|wykonawcy|wystąpią|prelegent|účinkující|medverkande|esiintyjät|исполнитель|спикер`},
	{Organizer, `organizer|organiser|organized by|organised by|hosted by|host|presented by|veranstalter|organisateur|organisé par|organizador|organizzatore|organisator|organizator|pořadatel|arrangör|arrangør|järjestäjä|организатор|організатор`},
	{Company, `company|employer|company name|hiring organization|organization|firm|agency|recruiter|advertiser|firma|unternehmen|arbeitgeber|entreprise|société|employeur|empresa|compañía|azienda|datore di lavoro|empregador|bedrijf|werkgever|firma|pracodawca|společnost|zaměstnavatel|företag|arbetsgivare|virksomhed|arbejdsgiver|yritys|työnantaja|компания|работодатель|компанія|роботодавець|会社|公司|회사|şirket|cég|munkáltató`},
	{Contract, `employment type|job type|type of employment|position type|contract|contract type|hours|working hours|schedule|employment|anstellungsart|beschäftigungsart|vertragsart|arbeitszeit|pensum|type de contrat|contrat|tipo de contrato|contrato|jornada|tipo di contratto|contratto|dienstverband|contracttype|rodzaj umowy|wymiar pracy|typ umowy|etat|úvazek|anställningsform|ansættelse|stilling|työsuhde|тип занятости|занятость|зайнятість`},
	{Published, `posted|date posted|posted on|post date|posted date|published|published on|publication date|date published|release date|added|listed|veröffentlicht|veröffentlicht am|online seit|eingestellt am|publié|publié le|date de publication|publicado|fecha de publicación|pubblicato|data di pubblicazione|publicado em|gepubliceerd|geplaatst|geplaatst op|opublikowano|data publikacji|data dodania|zveřejněno|publicerad|publiceret|publisert|julkaistu|опубликовано|дата публикации|опубліковано|公開日|发布日期|게시일|yayınlanma tarihi`},
	{Updated, `updated|last updated|updated on|modified|last modified|aktualisiert|zuletzt aktualisiert|geändert|mis à jour|actualizado|aggiornato|atualizado|bijgewerkt|laatst bijgewerkt|zaktualizowano|aktualizováno|uppdaterad|opdateret|oppdatert|päivitetty|обновлено|оновлено|更新日|更新`},
	{Deadline, `deadline|closing date|apply by|valid through|valid until|expires|application deadline|expiry date|bewerbungsschluss|bewerbungsfrist|frist|date limite|date de clôture|fecha límite|plazo|scadenza|prazo|sluitingsdatum|solliciteren voor|termin składania|ważne do|uzávěrka|sista ansökningsdag|ansøgningsfrist|søknadsfrist|hakuaika|срок подачи|締切|截止日期|마감일`},
	{Category, `type|kind|art|typ|tipo|soort|rodzaj|druh|category|categories|genre|genres|section|industry|sector|department|cuisine|field|kategorie|rubrik|branche|bereich|abteilung|catégorie|rubrique|secteur|categoría|sector|categoria|settore|afdeling|categorie|kategoria|gatunek|branża|dział|kategória|genre|kategori|ala|категория|жанр|категорія|カテゴリ|类别|분류`},
	{Prose, `description|job description|overview|about|summary|details|about this event|product description|synopsis|beschreibung|stellenbeschreibung|produktbeschreibung|inhalt|description du poste|descriptif|descripción|resumen|descrizione|descrição|omschrijving|beschrijving|opis|opis stanowiska|opis produktu|popis|beskrivning|beskrivelse|kuvaus|описание|опис|説明|商品説明|描述|설명|açıklama|leírás`},
	{Phone, `phone|telephone|tel|phone number|call|mobile|telefon|téléphone|teléfono|telefono|telefone|telefoon|telefon|telefonszám|puhelin|телефон|電話|电话|전화|هاتف|טלפון`},
	{Website, `website|web site|web|homepage|url|official website|internet|webseite|site web|site internet|sitio web|sito web|sito|site|strona www|strona internetowa|webové stránky|hemsida|hjemmeside|nettside|kotisivu|сайт|веб сайт|ホームページ|网站|홈페이지`},
}
