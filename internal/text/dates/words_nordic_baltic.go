package dates

var wordsNordicBaltic = []vocabulary{
	{"sv", `
month januari,jan|februari,feb,febr|mars|april,apr|maj|juni,jun|juli,jul|augusti,aug|september,sept,sep|oktober,okt|november,nov|december,dec
weekday måndag,mån,må|tisdag,tis,ti|onsdag,ons,on|torsdag,tors,tor,to|fredag,fre,fr|lördag,lör,lö|söndag,sön,sö
weekdays måndagar|tisdagar|onsdagar|torsdagar|fredagar|lördagar|söndagar
unit sekunder,sekund|minuter,minut|timmar,timme,tim|dagar,dag,dygn|veckor,vecka|månader,månad,mån|år|decennier,decennium
number en,ett,första|två,andra|tre,tredje|fyra,fjärde|fem|sex|sju|åtta|nio|tio
relative i förrgår,förrgår|igår,i går|idag,i dag,ikväll,i kväll|imorgon,i morgon|i övermorgon,övermorgon
now nu,just nu
ago sedan
before för
in om
next nästa,kommande
last förra,senaste
this denna,detta
every varje,alla
each dagligen,varje dag|varje vecka|varje månad|varje år|vardagar
to till,t o m,tom
from från,mellan
until till,till och med
and och
at kl,klockan,från kl
of den,på,av
clock 
am fm,f.m,förmiddagen
pm em,e.m,eftermiddagen,kvällen
midnight midnatt
suffix e,a
label datum,tid,när,start`},
	{"nb", `
month januar,jan|februar,feb|mars,mar|april,apr|mai|juni,jun|juli,jul|august,aug|september,sept,sep|oktober,okt|november,nov|desember,des
weekday mandag,man,må,måndag|tirsdag,tir,tirs,ti,tysdag,tys|onsdag,ons,on|torsdag,tor,tors,to|fredag,fre,fr|lørdag,lør,laurdag,lau,lø|søndag,søn,sundag,sø
weekdays mandager|tirsdager|onsdager|torsdager|fredager|lørdager|søndager
unit sekunder,sekund|minutter,minutt|timer,time|dager,dag,døgn,dagar|uker,uke,veker,veke|måneder,måned,månader,månad|år|tiår
number en,ett,et,første|to,andre|tre,tredje|fire|fem|seks|sju,syv|åtte|ni|ti
relative i forgårs,forgårs|i går,igår|i dag,idag|i morgen,imorgen|i overmorgen,overmorgen
now nå
ago siden,sidan
before for
in om
next neste
last forrige,sist
this denne,dette
every hver,hvert,kvar,alle
each daglig,hver dag|ukentlig|månedlig|årlig|
to til
from fra,mellom
until til,til og med
and og
at kl,klokka,klokken
of den,på,av
midnight midnatt
label dato,tid,når`},
	{"da", `
month januar,jan|februar,feb|marts,mar|april,apr|maj|juni,jun|juli,jul|august,aug|september,sept,sep|oktober,okt|november,nov|december,dec
weekday mandag,man,ma|tirsdag,tirs,tir,ti|onsdag,ons,on|torsdag,tors,tor,to|fredag,fre,fr|lørdag,lør,lø|søndag,søn,sø
weekdays mandage|tirsdage|onsdage|torsdage|fredage|lørdage|søndage
unit sekunder,sekund|minutter,minut|timer,time|dage,dag,døgn|uger,uge|måneder,måned|år|årtier,årti
number en,et,første|to,anden|tre,tredje|fire|fem|seks|syv|otte|ni|ti
relative i forgårs,forgårs|i går,igår|i dag,idag|i morgen,imorgen|i overmorgen,overmorgen
now nu
ago siden
before for
in om
next næste
last sidste,forrige
every hver,hvert
each dagligt,hver dag|ugentligt|månedligt|årligt|
to til
from fra,mellem
until til,indtil,til og med
and og
at kl,klokken
of den,d,på
label dato,tid,hvornår`},
	{"is", `
month janúar,jan|febrúar,feb|mars,mar|apríl,apr|maí|júní,jún|júlí,júl|ágúst,ágú|september,sept,sep|október,okt|nóvember,nóv|desember,des
weekday mánudagur,mánudag,mánudaginn,mán|þriðjudagur,þriðjudag,þriðjudaginn,þri|miðvikudagur,miðvikudag,miðvikudaginn,mið|fimmtudagur,fimmtudag,fimmtudaginn,fim|föstudagur,föstudag,föstudaginn,fös|laugardagur,laugardag,laugardaginn,lau|sunnudagur,sunnudag,sunnudaginn,sun
unit sekúndum,sekúnda,sekúndur|mínútum,mínúta,mínútur|klukkustundum,klukkustund,klst|dögum,dagur,dagar|vikum,vika,vikur|mánuðum,mánuður,mánuðir|árum,ár|áratugum
relative í fyrradag|í gær|í dag|á morgun|
ago síðan
before fyrir
in eftir
at kl,klukkan
of þann,á
to til
and og
every hver,hvern
am f.h
pm e.h`},
	{"fo", `
month januar|februar|mars|apríl|mai|juni|juli|august|september|oktober|november|desember
weekday mánadagur,mánadag|týsdagur,týsdag|mikudagur,mikudag|hósdagur,hósdag|fríggjadagur,fríggjadag|leygardagur,leygardag|sunnudagur,sunnudag
at kl,klokkan`},
	{"fi", `
month tammikuu,tammikuuta,tammikuun,tammi|helmikuu,helmikuuta,helmikuun,helmi|maaliskuu,maaliskuuta,maaliskuun,maalis|huhtikuu,huhtikuuta,huhtikuun,huhti|toukokuu,toukokuuta,toukokuun,touko|kesäkuu,kesäkuuta,kesäkuun,kesä|heinäkuu,heinäkuuta,heinäkuun,heinä|elokuu,elokuuta,elokuun,elo|syyskuu,syyskuuta,syyskuun,syys|lokakuu,lokakuuta,lokakuun,loka|marraskuu,marraskuuta,marraskuun,marras|joulukuu,joulukuuta,joulukuun,joulu
weekday maanantai,maanantaina,ma|tiistai,tiistaina,ti|keskiviikko,keskiviikkona,ke|torstai,torstaina,to|perjantai,perjantaina,pe|lauantai,lauantaina,la|sunnuntai,sunnuntaina,su
weekdays maanantaisin|tiistaisin|keskiviikkoisin|torstaisin|perjantaisin|lauantaisin|sunnuntaisin
unit sekuntia,sekunti,sekunnin,s|minuuttia,minuutti,minuutin|tuntia,tunti,tunnin|päivää,päivä,päivän|viikkoa,viikko,viikon|kuukautta,kuukausi,kuukauden,kk|vuotta,vuosi,vuoden|vuosikymmentä,vuosikymmen
number yksi,ensimmäinen|kaksi,toinen|kolme,kolmas|neljä|viisi|kuusi|seitsemän|kahdeksan|yhdeksän|kymmenen
relative toissapäivänä,toissa päivänä|eilen|tänään|huomenna|ylihuomenna
now nyt
ago sitten
later päästä,kuluttua
next ensi,seuraava
last viime
every joka
each päivittäin,joka päivä|viikoittain|kuukausittain|vuosittain|arkisin
and ja
at klo,kello
am ap
pm ip
noon keskipäivä
midnight keskiyö,keskiyöllä
suffix na,nä
label päivämäärä,aika,milloin`},
	{"et", `
month jaanuar,jaanuaril,jaanuari,jaan|veebruar,veebruaril,veebruari,veebr|märts,märtsil,märtsi|aprill,aprillil,aprilli,apr|mai,mail|juuni,juunil|juuli,juulil|august,augustil,augusti,aug|september,septembril,septembri,sept|oktoober,oktoobril,oktoobri,okt|november,novembril,novembri,nov|detsember,detsembril,detsembri,dets
weekday esmaspäev,esmaspäeval,e|teisipäev,teisipäeval,t|kolmapäev,kolmapäeval,k|neljapäev,neljapäeval,n|reede,reedel,r|laupäev,laupäeval,l|pühapäev,pühapäeval,p
unit sekundit,sekund|minutit,minut|tundi,tund,tunni|päeva,päev|nädalat,nädal,nädala|kuud,kuu|aastat,aasta|kümnendit,kümnend
relative üleeile|eile|täna|!homme|ülehomme
ago tagasi
later pärast
next järgmine,järgmisel
last eelmine,möödunud,eelmisel
every iga
and ja
at kell,kl
of a,aasta,aastal
to kuni
until kuni`},
	{"lv", `
month janvāris,janvārī,janvāra,janv|februāris,februārī,februāra,febr|marts,martā,marta|aprīlis,aprīlī,aprīļa,apr|maijs,maijā,maija|jūnijs,jūnijā,jūnija,jūn|jūlijs,jūlijā,jūlija,jūl|augusts,augustā,augusta,aug|septembris,septembrī,septembra,sept|oktobris,oktobrī,oktobra,okt|novembris,novembrī,novembra,nov|decembris,decembrī,decembra,dec
weekday pirmdiena,pirmdien,pirmd|otrdiena,otrdien,otrd|trešdiena,trešdien,trešd|ceturtdiena,ceturtdien,ceturtd|piektdiena,piektdien,piektd|sestdiena,sestdien,sestd|svētdiena,svētdien,svētd
unit sekundes,sekundēm,sekunde|minūtes,minūtēm,minūte|stundas,stundām,stunda|dienas,dienām,diena|nedēļas,nedēļām,nedēļa|mēneši,mēnešiem,mēnesis|gadi,gadiem,gads|desmitgades
relative aizvakar|vakar|šodien|rīt|parīt
before pirms
in pēc
next nākamais,nākamā,nākamajā
last pagājušais,pagājušā,pagājušajā
every katru,katra
and un
at plkst,pulksten,no plkst
of gada,g,gads,gadā
to līdz
from no
until līdz`},
	{"lt", `
month sausis,sausio,saus|vasaris,vasario,vas|kovas,kovo,kov|balandis,balandžio,bal|gegužė,gegužės,geg|birželis,birželio,birž|liepa,liepos,liep|rugpjūtis,rugpjūčio,rugp|rugsėjis,rugsėjo,rugs|spalis,spalio,spal|lapkritis,lapkričio,lapkr|gruodis,gruodžio,gruod
weekday pirmadienis,pirmadienį,pr,pirmad|antradienis,antradienį,an,antrad|trečiadienis,trečiadienį,tr,trečiad|ketvirtadienis,ketvirtadienį,kt,ketvirtad|penktadienis,penktadienį,pn,penktad|šeštadienis,šeštadienį,št,šeštad|sekmadienis,sekmadienį,sk,sekmad
unit sekundžių,sekundes,sekundę,sek|minučių,minutes,minutę,min|valandų,valandas,valandą,val|dienų,dienas,dieną,diena|savaičių,savaites,savaitę,savaitė|mėnesių,mėnesius,mėnesį,mėn|metų,metus,metai|dešimtmečių
relative užvakar|vakar|šiandien|rytoj|poryt
before prieš
in po,už
next kitas,kitą
last praėjusį,praėjusią
every kiekvieną
and ir
at nuo
of m,d,metų,mėn
clock val
suffix d
to iki
until iki
from nuo`},
}
