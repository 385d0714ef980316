package dates

var wordsSlavic = []vocabulary{
	{"ru", `
month январь,января,январе,янв,ян|февраль,февраля,феврале,февр,фев|март,марта,марте,мар|апрель,апреля,апреле,апр|май,мая,мае|июнь,июня,июне,июн|июль,июля,июле,июл|август,августа,августе,авг|сентябрь,сентября,сентябре,сент,сен|октябрь,октября,октябре,окт|ноябрь,ноября,ноябре,нояб,ноя|декабрь,декабря,декабре,дек
weekday понедельник,понедельника,пнд,пн|вторник,вторника,втр,вт|среда,среду,среды,срд,ср|четверг,четверга,чтв,чт|пятница,пятницу,пятницы,птн,пт|суббота,субботу,субботы,сбт,сб|воскресенье,воскресенья,воскресение,вск,вс
weekdays понедельникам,по понедельникам|вторникам,по вторникам|средам,по средам|четвергам,по четвергам|пятницам,по пятницам|субботам,по субботам|воскресеньям,по воскресеньям
unit секунд,секунды,секунду,секунда,сек|минут,минуты,минуту,минута,мин|часов,часа,час,ч|дней,дня,день,дн|недель,недели,неделю,неделя,нед|месяцев,месяца,месяц,мес|лет,года,год|десятилетий,десятилетия,десятилетие
number один,одна,одну,одной,первое,первого|два,две,второе,второго|три,третье,третьего|четыре,четвертое,четвертого|пять,пятое,пятого|шесть,шестое,шестого|семь,седьмое,седьмого|восемь,восьмое,восьмого|девять,девятое,девятого|десять,десятое,десятого|одиннадцать,одиннадцатое,одиннадцатого|двенадцать,двенадцатое,двенадцатого|тринадцать,тринадцатое,тринадцатого|четырнадцать,четырнадцатое,четырнадцатого|пятнадцать,пятнадцатое,пятнадцатого|шестнадцать,шестнадцатое,шестнадцатого|семнадцать,семнадцатое,семнадцатого|восемнадцать,восемнадцатое,восемнадцатого|девятнадцать,девятнадцатое,девятнадцатого
tens двадцать,двадцатое,двадцатого|тридцать,тридцатое,тридцатого
relative позавчера|вчера|сегодня|завтра|послезавтра
now сейчас,только что
ago назад,тому назад
in через
next следующий,следующая,следующую,следующее,следующей,следующем
last прошлый,прошлая,прошлую,прошлой,прошлом,прошлое
this этот,эта,эту,этой,этом
every каждый,каждую,каждое,каждые
each ежедневно,каждый день|еженедельно|ежемесячно|ежегодно|по будням
to до,по
from с,со,от
until до,по
and и
at в,во,около
of г,года,год,числа,в
clock часов,часа,час,ч
am утра,ночи
pm вечера,дня
noon полдень,в полдень
midnight полночь,в полночь
mark |||часов,часа,час|минут,минуты,минута,мин|секунд,секунды,сек
suffix го,е,ое,ого
label дата,время,когда,начало`},
	{"uk", `
month січень,січня,січні,січ|лютий,лютого,лют|березень,березня,бер|квітень,квітня,квіт,кві|травень,травня,трав,тра|червень,червня,черв,чер|липень,липня,лип|серпень,серпня,серп,сер|вересень,вересня,вер|жовтень,жовтня,жовт,жов|листопад,листопада,листоп,лис|грудень,грудня,груд,гру
weekday понеділок,понеділка,пон,пн|вівторок,вівторка,вів,вт|середа,середу,середи,сер,ср|четвер,четверга,чет,чт|п'ятниця,п'ятницю,п'ятниці,птн,пт|субота,суботу,суботи,суб,сб|неділя,неділю,неділі,нед,нд
unit секунд,секунди,секунду,секунда|хвилин,хвилини,хвилину,хвилина,хв|годин,години,годину,година,год|днів,дня,дні,день|тижнів,тижні,тижня,тиждень|місяців,місяці,місяця,місяць|років,роки,року,рік|десятиліть,десятиліття
number один,одна,одну,перше|два,дві,друге|три,третє|чотири|п'ять|шість|сім|вісім|дев'ять|десять
relative позавчора|вчора,учора|сьогодні|завтра|післязавтра
now зараз,щойно
ago тому,назад
in через,за
next наступний,наступна,наступну,наступного
last минулий,минула,минулого,минулої,минулому
every кожен,кожного,кожну,кожної,щопонеділка
to до,по
from з,від,із
until до
and і,й,та
at о,об,у,в,близько
of р,року,рік,у
clock год,годині,година
am ранку
pm вечора,дня
noon полудень,опівдні
midnight північ,опівночі
mark |||годин,години,година,год|хвилин,хвилини,хвилина,хв|секунд,секунди
label дата,час,коли,початок`},
	{"be", `
month студзень,студзеня,студ,сту|люты,лютага,лют|сакавік,сакавіка,сак|красавік,красавіка,крас,кра|май,травень,траўня,траў,мая|чэрвень,чэрвеня,чэрв,чэр|ліпень,ліпеня,ліп|жнівень,жніўня,жнів,жні|верасень,верасня,вер|кастрычнік,кастрычніка,каст,кас|лістапад,лістапада,ліст,ліс|снежань,снежня,снеж,сне
weekday панядзелак,панядзелка,пан,пн|аўторак,аўторка,аўт,аў,ат|серада,сераду,сер,ср|чацвер,чацвярга,чац,чц|пятніца,пятніцу,пят,пт|субота,суботу,суб,сб|нядзеля,нядзелю,няд,нд
unit секунд,секунды,секунду,секунда|хвілін,хвіліны,хвіліну,хвіліна|гадзін,гадзіны,гадзіну,гадзіна|дзён,дні,дня,дзень|тыдняў,тыдні,тыдзень|месяцаў,месяцы,месяц|гадоў,гады,год,года|дзесяцігоддзяў,дзесяцігоддзе
number адзін,адну,адна|два,дзве|тры|чатыры|пяць|шэсць|сем|восем|дзевяць|дзесяць
relative пазаўчора,заўчора|учора,ўчора|сёння|заўтра|паслязаўтра
now зараз
ago таму назад,таму,назад
in праз
at у,ў,а,аб
of г,года,год
to да,па
from з,ад
and і
mark |||гадзін,гадзіны,гадзіна|хвілін,хвіліны,хвіліна|секунд,секунды
every кожны,кожную`},
	{"bg", `
month януари,яну,ян|февруари,фев|март,мар|април,апр|май|юни,юн|юли,юл|август,авг|септември,септ,сеп|октомври,окт|ноември,ноем,ное|декември,дек
weekday понеделник,пон,пн|вторник,вт|сряда,ср|четвъртък,чет,чт|петък,пет,пт|събота,съб,сб|неделя,нед,нд
unit секунди,секунда,сек|минути,минута,мин|часа,час,часове|дни,ден|седмици,седмица,седм|месеца,месец,месеци|години,година|десетилетия,десетилетие
number един,една,едно,първи|два,две,втори|три,трети|четири|пет|шест|седем|осем|девет|десет
relative завчера,онзи ден|вчера|днес|утре|вдругиден
now сега
before преди
in след
next следващата,следващия,следващият,идната
last миналата,миналия
every всеки,всяка,всяко
to до
from от
until до
and и
at в,от
of г,година,на
clock ч,часа,часът
noon обяд
midnight полунощ
suffix ви,ри,ти
label дата,час,кога`},
	{"pl", `
month styczeń,stycznia,styczniu,sty|luty,lutego,lutym,lut|marzec,marca,marcu,mar|kwiecień,kwietnia,kwietniu,kwi|maj,maja,maju|czerwiec,czerwca,czerwcu,cze|lipiec,lipca,lipcu,lip|sierpień,sierpnia,sierpniu,sie|wrzesień,września,wrześniu,wrz|październik,października,październiku,paź|listopad,listopada,listopadzie,lis|grudzień,grudnia,grudniu,gru
weekday poniedziałek,poniedziałku,pon,pn,pon|wtorek,wtorku,wt,wto|środa,środę,środy,śr,śro|czwartek,czwartku,czw,cz|piątek,piątku,pt,pia|sobota,sobotę,soboty,sob,so|niedziela,niedzielę,niedzieli,nd,ndz,niedz,nie
weekdays poniedziałki,w poniedziałki|wtorki,we wtorki|środy,w środy|czwartki,w czwartki|piątki,w piątki|soboty,w soboty|niedziele,w niedziele
unit sekund,sekundy,sekundę,sekunda,sek|minut,minuty,minutę,minuta,min|godzin,godziny,godzinę,godzina,godz|dni,dnia,dzień,dniu|tygodni,tygodnie,tydzień,tygodnia,tyg|miesięcy,miesiące,miesiąc,miesiąca,mies|lat,lata,rok,roku|dekad,dekady,dekadę,dekada
number jeden,jedna,jedną,pierwszy|dwa,dwie,drugi|trzy,trzeci|cztery,czwarty|pięć,piąty|sześć|siedem|osiem|dziewięć|dziesięć
relative przedwczoraj|wczoraj|dziś,dzisiaj|jutro|pojutrze
now teraz,przed chwilą
ago temu
in za
next następny,następna,następnym,następnego,następną,przyszły,przyszłym,przyszłą
last ostatni,ostatnia,ostatnią,zeszły,zeszłym,zeszłą,poprzedni,ubiegły
this ten,ta,tę,tym
every każdy,każdą,każda,każde,co
each codziennie|co tydzień|co miesiąc|co rok|w dni powszednie
to do
from od,między
until do
and i,oraz
at o,o godz,o godzinie,godz,godzina,godzinie,ok,g
of w,we,dnia,r,roku
clock godz,h
noon południe,w południe
midnight północ,o północy
suffix go,ego
label data,termin,czas,kiedy,początek,start`},
	{"cs", `
month leden,ledna,led|únor,února,úno|březen,března,bře|duben,dubna,dub|květen,května,kvě|červen,června,čer|červenec,července,čvc|srpen,srpna,srp|září,zář|říjen,října,říj|listopad,listopadu,lis|prosinec,prosince,pro
weekday pondělí,pon,po|úterý,úte,út|středa,středu,stř,st|čtvrtek,čtv,čt|pátek,pát,pá|sobota,sobotu,sob,so|neděle,neděli,ned,ne
weekdays pondělky|úterky|středy|čtvrtky|pátky|soboty|neděle
unit sekund,sekundy,sekundu,sekundou,sekundami,vteřin|minut,minuty,minutu,minutou,minutami|hodin,hodiny,hodinu,hodinou,hodinami|dní,dny,den,dnem|týdnů,týdny,týden,týdnem|měsíců,měsíce,měsíc,měsícem,měsíci|let,roky,rok,rokem,lety|desetiletí,dekády,dekádou
number jeden,jedna,první|dva,dvě,druhý|tři,třetí|čtyři|pět|šest|sedm|osm|devět|deset
relative předevčírem|včera|dnes|zítra|pozítří
now teď,nyní
before před
in za
next příští,další
last minulý,minulá,minulé,poslední
every každý,každou,každé,každá
each denně|týdně|měsíčně|ročně|
to do,až
from od
until do
and a
at v,ve,od,o
of dne,roku
clock hod,hodin,h
am dopoledne,ráno
pm odpoledne,večer
noon poledne,v poledne
midnight půlnoc,o půlnoci
label datum,čas,kdy`},
	{"sk", `
month január,januára,jan|február,februára,feb|marec,marca,mar|apríl,apríla,apr|máj,mája|jún,júna|júl,júla|august,augusta,aug|september,septembra,sep,sept|október,októbra,okt|november,novembra,nov|december,decembra,dec
weekday pondelok,pon,po|utorok,uto,ut|streda,stredu,str,st|štvrtok,štv,št|piatok,pia,pi|sobota,sobotu,sob,so|nedeľa,nedeľu,ned,ne
unit sekúnd,sekundy,sekundou,sekundami|minút,minúty,minútu,minútou,minútami|hodín,hodiny,hodinu,hodinou,hodinami|dní,dni,deň,dňom,dňami|týždňov,týždne,týždeň,týždňom,týždňami|mesiacov,mesiace,mesiac,mesiacom,mesiacmi|rokov,roky,rok,rokom,rokmi|desaťročí
relative predvčerom|včera|dnes|zajtra|pozajtra
before pred
in o,za
every každý,každú,každé
to do,až
from od
and a
at o,v,vo
of dňa,roku
clock hod,h
am predpoludním
pm popoludní
noon poludnie
midnight polnoc`},
	{"hr sr bs sh", `
month siječanj,siječnja,siječnju,sij,januar,januara,jan,јануар,јануара,јан|veljača,veljače,veljači,velj,vel,februar,februara,feb,фебруар,фебруара,феб|ožujak,ožujka,ožujku,ožu,mart,marta,mar,март,марта,мар|travanj,travnja,travnju,tra,april,aprila,apr,април,априла,апр|svibanj,svibnja,svibnju,svi,maj,maja,мај,маја|lipanj,lipnja,lipnju,lip,jun,juni,juna,jуn,јун,јуна|srpanj,srpnja,srpnju,srp,jul,juli,jula,јул,јула|kolovoz,kolovoza,kolovozu,kol,avgust,august,avg,aug,augusta,avgusta,август,августа,авг|rujan,rujna,rujnu,ruj,septembar,septembra,sep,септембар,септембра,сеп|listopad,listopada,lis,oktobar,oktobra,okt,октобар,октобра,окт|studeni,studenog,studenom,studenoga,stu,novembar,novembra,nov,новембар,новембра,нов|prosinac,prosinca,prosincu,pro,decembar,decembra,dec,децембар,децембра,дец
weekday ponedjeljak,ponedeljak,ponedjeljka,pon,понедељак,пон|utorak,utorka,uto,уторак,уто|srijeda,srijedu,sreda,sredu,sri,sre,среда,среду,сре|četvrtak,četvrtka,čet,четвртак,чет|petak,petka,pet,петак,пет|subota,subotu,sub,субота,суб|nedjelja,nedjelju,nedelja,nedelju,ned,недеља,нед
weekdays ponedjeljkom,ponedeljkom|utorkom|srijedom,sredom|četvrtkom|petkom|subotom|nedjeljom,nedeljom
unit sekundi,sekunde,sekundu,sekunda,секунди|minuta,minute,minutu,минута|sati,sata,sat,сати,часова,h|dana,dan,дана|tjedana,tjedna,tjedan,nedelja,nedelje,sedmica,sed,недеља|mjeseci,mjeseca,mjesec,meseci,meseca,mesec,mj,месеци,месец|godina,godine,godinu,god,година,године|desetljeća,desetljeće
relative prekjučer,prekjuče,prekjucer|jučer,juče,јуче|danas,данас|sutra,сутра|prekosutra,прекосутра
now sada,upravo
before prije,pre,пре
in za,kroz,за
next sljedeći,sljedeća,sljedeće,sledeći,sledeća,idući
last prošli,prošla,prošle,prošlog,prošlu
every svaki,svake,svaka,svakog,svaku,сваки
to do,до
from od,од
until do
and i,и
at u,oko,у
of godine,god,g,dana,u,године
clock sati,sata,h,часова
am ujutro,prijepodne,пре подне
pm popodne,poslijepodne,navečer,увече,по подне
noon podne,u podne,подне
midnight ponoć,u ponoć,поноћ
label datum,vrijeme,vreme`},
	{"sl", `
month januar,januarja,jan|februar,februarja,feb|marec,marca,mar|april,aprila,apr|maj,maja|junij,junija,jun|julij,julija,jul|avgust,avgusta,avg|september,septembra,sep|oktober,oktobra,okt|november,novembra,nov|december,decembra,dec
weekday ponedeljek,pon|torek,tor|sreda,sredo,sre|četrtek,čet|petek,pet|sobota,soboto,sob|nedelja,nedeljo,ned
unit sekund,sekunde,sekundo,sekundami|minut,minute,minuto,minutami|ur,ure,uro,urami|dni,dnevi,dan,dnem|tednov,tedni,teden,tednom|mesecev,meseci,mesec|let,leti,leto,letom|desetletij
relative predvčerajšnjim|včeraj|danes|jutri|pojutrišnjem
before pred
in čez
every vsak,vsako
to do
from od
and in
at ob
of dne,leta
clock uri,ura,h
am dopoldne
pm popoldne,zvečer
noon poldne,opoldne
midnight polnoč,opolnoči`},
	{"mk", `
month јануари,јан|февруари,фев|март,мар|април,апр|мај|јуни,јун|јули,јул|август,авг|септември,септ,сеп|октомври,окт|ноември,ноем|декември,дек
weekday понеделник,пон|вторник,вто|среда,сре|четврток,чет|петок,пет|сабота,саб|недела,нед
unit секунди|минути|часа,часови,час|дена,ден|недели,недела|месеци,месец|години,година|децении
relative завчера|вчера|денес|утре|задутре
before пред
in за
every секој,секоја
at во
of година,г
to до
from од
and и
clock часот,ч`},
}
