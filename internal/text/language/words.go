package language

import (
	"math"
	"strings"
)

// profile is what the text of a language looks like: its small words and the
// letters beyond a–z (or beyond the common Cyrillic ones) that it writes with.
type profile struct {
	tag     string
	words   map[string]bool
	letters map[rune]bool
}

var (
	languagesOf = map[string][]*profile{}
	sharedBy    = map[string]int{} // in how many languages a small word occurs
)

func init() {
	for script, table := range map[string][][3]string{"Latn": latin, "Cyrl": cyrillic, "Arab": arabic, "Deva": devanagari, "Hebr": hebrew, "Ethi": ethiopic} {
		for _, row := range table {
			p := &profile{tag: row[0], words: map[string]bool{}, letters: map[rune]bool{}}
			for _, r := range row[1] {
				p.letters[r] = true
			}
			for w := range strings.FieldsSeq(row[2]) {
				if !p.words[w] {
					p.words[w] = true
					sharedBy[w]++
				}
			}
			languagesOf[script] = append(languagesOf[script], p)
		}
	}
}

// rarity is 1 for a word of one language and falls with every language that
// shares it.
func rarity(word string) float64 { return 1 / math.Sqrt(float64(max(1, sharedBy[word]))) }

// latin: tag, letters, small words. The words are the commonest of each language,
// with those that tell it from its neighbours (Danish af, Norwegian av; Croatian
// tko, Serbian ko; Malay awak, Indonesian anda).
var latin = [][3]string{
	{"en", "éï", "the and of to in is that for it was on with as be by at this have from or are not but they his her you we which all their has were been would will there what when who can more if about out up so no my an its our your he she i than into how do does"},
	{"de", "äöüßé", "der die das und in zu den ist nicht von mit sich auf für ein eine im dem des als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde ich wir ihr ihre kann jeder recht keine unter"},
	{"nl", "éëïèöüó", "de het een en van in is dat op te zijn voor met die niet aan er om ook als bij of naar dan maar uit wordt werd door over hij zij nog heeft worden deze hebben kan wat geen meer tot ze je we ik heeft dit zo zich ieder recht onder onze uw"},
	{"af", "êëôûéïáèóúîöü", "die en van in is nie het te dat wat vir met op 'n om hy sal ek sy ons as aan by deur ook was maar uit word kan nog hulle elke een moet na daar oor of elkeen geregtig reg alle wees enige toe"},
	{"sv", "åäöéà", "och att det i en som på är av för med till den inte har de om ett han var men jag från vi så kan när år under också efter eller nu sin där vid mot ska skall denna dessa varje rätt inom utan sig genom hon ej dem någon än var"},
	{"da", "æøåéä", "og at det i en som på er af for med til den ikke har de om et han var men jeg fra vi så kan når år under også efter eller nu sin hvor ved mod skal denne disse enhver ret inden uden sig gennem hun ej dem nogen end blev over meget hvad være været havde efter op ud deres blive"},
	{"nb", "æøåéòôü", "og at det i en som på er av for med til den ikke har de om et han var men jeg fra vi så kan når år under også etter eller nå sin hvor ved mot skal denne disse enhver rett innen uten seg gjennom hun dem noen enn ble over mye hva være vært hadde opp ut deres bli blir"},
	{"nn", "æøåéòôü", "og at det i ein som på er av for med til den ikkje har dei om eit han var men eg frå vi så kan når år under også etter eller no sin kvar ved mot skal denne desse alle rett innan utan seg gjennom ho dei nokon enn vart over mykje kva vere vore hadde opp ut blir ikkje korleis kven berre"},
	{"is", "áðéíóúýþæö", "og að í á er sem til um við en með ekki af það var fyrir hann því eru ég frá hefur þá þess hafa sé allir eða skal hver rétt rétt eiga þeir við svo hún þar voru"},
	{"fo", "áðíóúýæø", "og at í á er sum til um við ein ikki av tað var fyri hann tí eru eg frá hevur tá skal øll rætt ella hava hvør síni hetta"},
	{"fr", "éèêëàâîïôùûüçœæÿ", "de la le et les des en un une du que est pour qui dans au par sur pas plus ce il ne se son avec aux ou sont sa ses mais cette comme nous vous leur être a été fait ont même tout d'une qu'il c'est n'est toute droit elle je on d'un"},
	{"es", "áéíóúñü", "de la que el en y a los del se las por un para con no una su al lo como más pero sus le ya o este sí porque esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante todos uno les ni contra otros ese eso ante ellos toda derecho tiene es fue son ha ser"},
	{"pt", "áâãàéêíóôõúçü", "de a o que e do da em um para com não uma os no se na por mais as dos como mas ao ele das à seu sua ou quando muito nos já eu também só pelo pela até isso ela entre depois sem mesmo aos seus quem nas me esse você essa num nem suas são foi ser tem todo direito está é há"},
	{"gl", "áéíóúñü", "de a o que e do da en un para con non unha os no se na por máis as dos como mais ao el das á seu súa ou cando moi nos xa eu tamén só polo pola ata iso ela entre despois sen mesmo aos seus quen nas me ese vostede esa son foi ser ten todo dereito está é hai é pode persoa"},
	{"it", "àèéìòùîí", "di e il la che in a un per è del non una sono con le si dei della da alla i come al più ma gli nel anche lo se ha o delle su questo alla suo sua essere ad dal degli nella o ogni diritto hanno stato quando ed era dalla cui tra quello solo chi mi fra"},
	{"ca", "àèéíïòóúüç·", "de la i el que en a els les del un per una amb no es se al més és com per dels va són o però aquest aquesta seva seu pel hi ha ser també ha tota dret persona tot sense entre quan molt on ens nosaltres als l'article d'un d'una té sobre fins"},
	{"oc", "àáèéíòóúüç", "de la lo los las e que en un una per amb es del dins sus sa son o se als an aver totes tota drech persona cal pas ni mai pels sens"},
	{"ro", "ăâîșțşţ", "și de în a la cu care pe nu este o un să din mai sunt pentru ca se au o ale al lui fi cel sau prin fost dar ce ei sale acest această după orice dreptul are într-o său fie toate între ori nici până unei unui și în drept persoană şi"},
	{"pl", "ąćęłńóśźż", "i w na z do się nie że jest to o jak ale po za od przez dla tym co tak czy ich jego lub oraz być może tego ma który która które są już tylko przy był jako ze ma każdy prawo człowiek jej nad pod bez także mu jest aby gdy jeszcze bardzo było przed"},
	{"cs", "áčďéěíňóřšťúůýž", "a v na se že je s z do o to i za ve by ale pro jako jeho který která které k po si od nebo jsou být bylo byl tak své má každý právo však při až podle není jsem co jen už ze jejich mezi také které není"},
	{"sk", "áäčďéíĺľňóôŕšťúýž", "a v na sa že je s z do o to i za vo by ale pre ako jeho ktorý ktorá ktoré k po si od alebo sú byť bolo bol tak svoje má každý právo však pri až podľa nie som čo len už zo ich medzi aj ktorí nemá môže iba"},
	{"sl", "čšžćđ", "in je v na da se za so z ne ki po pa s kot o do od tudi pri bi ali ima biti bil pravico vsakdo mu svojih vsak če še tem kar sta sem njegovo že svoje ter k lahko niso več med po nad tako kjer brez"},
	{"hr", "čćđšž", "i u je na se da za od su s o kao koji što ne bi a ili iz biti po te do sve ima svatko pravo bez njegova nije samo koja koje prema kako sam tko također tijekom tko može svojih ni smo će svi uz sustav više pri mora bit uvjetima općih svatko itko prije poslije gdje ovdje uvijek čovjek čovjeka vrijeme mjesto djeca dijete dvije dio cijeli svijet svijeta riječ djelo djela smije tijekom opće uvjet nitko osoba obitelj općenito tisuća tjedan"},
	{"bs", "čćđšž", "i u je na se da za od su s sa o kao koji što šta ne bi a ili iz biti po te do sve ima svako pravo bez njegova nije samo koja koje prema kako sam ko također takođe može svojih ni smo će svi uz više pri mora prije poslije gdje ovdje uvijek čovjek vrijeme mjesto djeca dio svijet svako niko tokom opće uslov lice porodica općenito hiljada sedmica"},
	{"sr", "čćđšž", "i u je na se da za od su s sa o kao koji što šta ne bi a ili iz biti po te do sve ima svako pravo bez njegova nije samo koja koje prema kako sam ko takođe može svojih ni smo će svi uz više pri mora uslovima opštih svako niko neko pre posle gde ovde uvek čovek čoveka vreme mesto deca dete dve deo celi svet sveta reč delo dela sme tokom opšte uslov lice porodica uopšte hiljada nedelja"},
	{"hu", "áéíóöőúüű", "a az és hogy nem is egy van ez azt meg ki csak vagy de mint minden el már még sem volt be ha kell fel le lehet mert ezt során joga illetve amely között által való azonban után alatt aki ezek nagyon akkor olyan szerint mely kapcsolatos nincs ember"},
	{"fi", "äöåšž", "ja on ei että se hän oli ovat joka kun mutta tai niin kuin myös jos ole sekä mukaan jotka jokaisella oikeus hänen olla sen tämä tässä vain voi vuonna kanssa jonka mitä siitä joita nyt sitä ennen ollut kaikki mitään saa tulee ilman"},
	{"et", "äöõüšž", "ja on ei et see oma ta ka kui mis või ning oli aga kes nii siis olla selle välja üle oma igal õigus kõik iga tema nende pärast ole mida kõigi inimesel vaid koos eest juures tuleb peab seda veel"},
	{"lv", "āčēģīķļņšūžō", "un ir no uz ar par kas ka tas vai ne lai bet kā arī tika to viņa savu pie gan jo cilvēkam tiesības katram vai būt nav šo pēc visu visiem tiek kura viņš kad tā jau līdz var ja tikai gada"},
	{"lt", "ąčęėįšųūž", "ir yra kad į iš su ar tai bet kaip jo ne apie po už buvo kuris tik dėl jis taip pat savo prie turi teisę kiekvienas žmogus būti nuo būtų jų arba visi šios metų ji dar iki kai gali"},
	{"tr", "çğıöşüâîûi̇", "ve bir bu da de için ile olarak çok daha olan gibi kadar sonra var ne ama her ya değil mi ki en hakkı herkes veya olduğu şahsın bütün olmak göre tarafından ise diye kendi bunu etmek hiç iyi yok şu o olması"},
	{"az", "əçğıöşüi̇x", "və bir bu da üçün ilə olan hər kimi onun olmaq daha hüququ hüququna malikdir insan yaxud öz ya bütün heç olduğu edən nə ki var çox isə sonra görə"},
	{"id", "é", "yang dan di dengan untuk dari pada ini dalam itu tidak ke adalah akan atau juga orang oleh ada sebagai tersebut bisa karena mereka setiap berhak kami anda telah lebih hak seperti saat secara harus bahwa sudah satu hanya antara kita dia saya atas dapat para belum karena hal tetapi namun serta sangat bagi jika beberapa pun"},
	{"ms", "é", "yang dan di dengan untuk dari pada ini dalam itu tidak ke adalah akan atau juga orang oleh ada sebagai tersebut boleh kerana mereka setiap berhak kami anda telah lebih hak seperti secara hendaklah bahawa satu hanya antara kita dia saya atas dapat para adalah awak ialah tiap-tiap sesiapa hal tetapi serta manakala kepada wang bagi jika beberapa pun daripada ianya"},
	{"fil", "ñ", "ang ng sa na mga at ay ay para ito may karapatan bawat tao kanyang o hindi siya niya kung lahat ni nang ako ka mo natin ko din rin lamang pa ba pag walang kaniyang isang nito upang"},
	{"vi", "àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ", "và của là có các trong được cho người không một với những này đã để khi đến từ về quyền mọi như hay do tại nào phải cũng theo sự đó trên ra vào nhiều còn năm"},
	{"sq", "çëâ", "dhe të e në i një për me që nga është ka me ose si nuk së do tij por ai janë kjo ky më gjithë duhet kanë drejtë kush çdokush u ta se mund ishte edhe pa"},
	{"eu", "ñ", "eta da ez bat du dira dute izan egin dituen den edo baina bere ere hau zen beste guztiek eskubide dagoen gizon-emakume pertsona orok bidez arabera gabe hori behar dela ziren"},
	{"ga", "áéíóú", "an agus na a i ar is go le do de ag atá sé bhí ní chun ó faoi seo sin nó aon gach duine ceart ceart aige mar bheith bhfuil tá leis ach"},
	{"cy", "âêîôûŵŷáéíóúëï", "y a yn i o ar yr ac am wedi fod mae ei bod gan hawl bawb bob eu neu â ond na fel ni chwi cael gyda hyn sydd oedd un nid wrth drwy unrhyw"},
	{"mt", "ċġħżàèìòù", "li ta il u ma fi għandu kull dritt għal jew din dan ta' huwa bħala b' lil minn l- hija kienet biex mhux kollha"},
	{"sw", "", "ya na wa kwa ni za katika la kila mtu haki ana au hii kama yake si watu lake cha huo hiyo bila wote kuwa hizo kwamba lakini pia"},
	{"eo", "ĉĝĥĵŝŭ", "la kaj de en estas al ne por ke kun ĉiu kiu ĝi mi li kiel rajton havas rajtas sed se tiu aŭ pri per ties sian liaj ĉi el oni"},
	{"so", "", "iyo in ka ku ah oo waa u la soo si xaq qof ama ay uu waxaa leeyahay kasta aan wuxuu isku mid"},
	{"ku", "çêîşû", "û de ku li bi ji ve her yê kes di be an ya xwe jî re mafê heye yek wî nav ne bo mirov ew"},
	{"ht", "èòéà", "nan ak yo pou li ki sou se pa gen moun tout dwa chak yon te fè men oswa peyi l' m' ke"},
	{"ha", "ɓɗƙƴ", "da a ta na ya wajen shi ba kuma cikin kowane mutum yana da ko yanci hakki su ne ga wani wanda don kan domin"},
	{"yo", "àáèéìíòóùúẹọṣǹḿ", "ní àti ti tí sí láti fún ẹ̀tọ́ ẹnì kọ̀ọ̀kan ó kò tàbí gbogbo bá rẹ̀ àwọn nínú lè"},
	{"zu", "", "futhi ukuthi wonke umuntu unelungelo noma ngokuthi nge kanye kwa loku uma yakhe ukuba abantu okanye"},
	{"xh", "", "kwaye ukuba wonke umntu unelungelo okanye kunye lakhe abantu elungelo nokuba ngokuba kwe"},
}

var cyrillic = [][3]string{
	{"ru", "абвгдеёжзийклмнопрстуфхцчшщъыьэюя", "и в не на что с по как это все но за из он для от так его к у же вы или был только о еще при они быть до если когда чтобы во со каждый имеет право человек ее может также который которые была уже есть том этом"},
	{"uk", "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя'ʼ", "і в не на що з по як це всі але за із він для від так його до у ж ви або був тільки про ще при вони бути якщо коли щоб зі кожна людина має право її може також який які була вже є та"},
	{"be", "абвгдеёжзійклмнопрстуўфхцчшыьэюя'ʼ", "і ў не на што з па як гэта усе але за ён для ад так яго да у ж вы або быў толькі аб яшчэ пры яны быць калі каб кожны чалавек мае права яе можа таксама які якія была ўжо ёсць"},
	{"bg", "абвгдежзийклмнопрстуфхцчшщъьюя", "и в не на че с по как това всички но за от той до така му към у ще или беше само при те да се е са като има право всеки човек без бъде което която които този тази който може след още"},
	{"mk", "абвгдѓежзѕијклљмнњопрстќуфхцчџш", "и во не на дека со по како ова сите но за од тој до така му кон ќе или беше само при тие да се е се како има право секој човек без биде што која кои овој оваа кој може по уште"},
	{"sr", "абвгдђежзијклљмнњопрстћуфхцчџш", "и у не на да са по како ово сви али за од он до тако му ка ће или био само при они се је су као има право свако човек без буде које која који овај ова може после још што"},
	{"mn", "абвгдеёжзийклмноөпрстуүфхцчшщъыьэюя", "нь бол бөгөөд байна хүн эрх энэ юм ба болон эрхтэй байх гэж бүр дээр хийх тухай өөрийн мөн"},
	{"kk", "аәбвгғдеёжзийкқлмнңоөпрстуұүфхһцчшщъыіьэюя", "және мен бір бұл үшін деп адам құқығы құқылы әр болып жоқ немесе өз оның болуға бар барлық тиіс"},
	{"ky", "абвгдеёжзийклмнңоөпрстуүфхцчшщъыьэюя", "жана менен бир бул үчүн деп адам укугу укуктуу ар болуп жок же өз анын болууга бар бардык тийиш"},
	{"tg", "абвгғдеёжзиӣйкқлмнопрстуӯфхҳчҷшъэюя", "ва дар ба аз ки ин бо барои ҳар як инсон ҳуқуқ дорад ё худ он ҳама карда бояд аст"},
}

var arabic = [][3]string{
	{"ar", "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيًٌٍَُِّْـ", "في من على إلى أن هذا عن التي مع كل الذي لا ما أو هو بعد كان هذه وقد لم كما بين حق ولا شخص قد ذلك هي غير وفي به لكل حيث وأن"},
	{"fa", "ءآأؤئابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهیيكة\u200cًَُِّ", "و در به از که این را با است هر برای آن یک خود تا کند حق بر هم دارد نیز شود می های باشد یا کس شده ها دیگر"},
	{"ur", "ءآأؤئابپتٹثجچحخدڈذرڑزژسشصضطظعغفقکگلمنںوہھۂیےۓہًَُِّ", "اور کے کی میں ہے کا سے کو کہ پر نہیں یہ ہر شخص حق ہیں جو اس یا کسی بھی نے ہو اپنے کرنے لیے تو ایک"},
	{"ps", "ءآأؤئابپتټثجچحخڅځدډذرړزژږسشښصضطظعغفقکگګلمنڼوهۀيېۍئیکي", "او په د چې کې له ته یا دی حق لري څخه هر څوک نه سره دغه خپل باندې شي"},
	{"ckb", "ئابپتجچحخدرڕزژسشعغفڤقکگلڵمنوۆهھەیێ", "و لە بە کە هەموو بۆ مافی هەیە کەس لەگەڵ یان ئەو ئەم خۆی نابێ"},
	{"ug", "ئابپتجچخدرزژسشغفقكگڭلمنھوۇۆۈۋېىيە", "ۋە بىلەن بىر ھەر ئۈچۈن ھوقۇقىغا ئىگە ياكى ئۆز بۇ كېرەك"},
}

var devanagari = [][3]string{
	{"hi", "", "के है और में की का को से कि पर यह हैं ने एक भी जो नहीं किसी या तथा इस लिए प्रत्येक व्यक्ति अधिकार अपने होगा था हो कर"},
	{"mr", "", "आणि आहे व या किंवा नाही त्याच्या हा असे मध्ये प्रत्येक अधिकार आहेत पण ते ती हे करण्याचा सर्व होते झाले त्या मानव असा"},
	{"ne", "", "र छ को मा हो का लाई गर्ने पनि छन् यो प्रत्येक व्यक्तिलाई अधिकार हुनेछ वा भएको तथा गरेको लागि छैन सबै उसको हुन"},
	{"bho", "", "के बा में आ से ह कि बाटे हो होई सब ओकर कवनो हर अदमी अधिकार केहू आपन भा"},
	{"sa", "", "च एव अस्ति न वा इति तथा सर्वे भवति अधिकारः प्रत्येकं जनः"},
}

var hebrew = [][3]string{
	{"he", "", "של את על לא כל זה עם אדם או גם הוא כי היא אל אשר זכאי יש מן אם בין זכות ללא"},
	{"yi", "", "און פון אין צו די דער איז מיט אויף וואס האט רעכט מענטש יעדער זיין נישט אדער דאס פאר"},
}

var ethiopic = [][3]string{
	{"am", "", "ወይም ነው እና ሰው መብት አለው ማንኛውም ያለው በዚህ የሰው ላይ ጋር እንደ ሁሉ"},
	{"ti", "", "ዝኾነ ሰብ መሰል ኣለዎ ወይ ናይ እዩ ካብ ኣብ ከምኡ ነፍሲ ወከፍ"},
}
