package dates

var wordsRomance = []vocabulary{
	{"fr", `
month janvier,janv,jan|février,févr,fév,fev|mars|avril,avr|mai|juin,jun|juillet,juil,juill,jui|août,aou|septembre,sept,sep|octobre,oct|novembre,nov|décembre,déc
weekday lundi,lun,lu|mardi,mar,ma|mercredi,mer,me|jeudi,jeu,je|vendredi,ven,ve|samedi,sam,sa|dimanche,dim,di
weekdays lundis,les lundis|mardis|mercredis|jeudis|vendredis|samedis|dimanches
unit secondes,seconde|minutes,minute|heures,heure|jours,jour|semaines,semaine,sem|mois|ans,an,années,année|décennies,décennie
number un,une,premier,première,1er|deux,deuxième|trois,troisième|quatre,quatrième|cinq|six|sept|huit|neuf|dix|onze|douze
relative avant-hier,avant hier|hier|aujourd'hui,aujourdhui,ce soir|demain|après-demain,après demain
now maintenant,à l'instant,a l instant
before il y a,y a
in dans,en,d'ici
next prochaine,prochain
last dernier,dernière,passé,passée
this ce,cette,cet
every tous les,toutes les,chaque,tout les
each tous les jours,quotidien,quotidiennement|hebdomadaire|mensuel,tous les mois|annuel,tous les ans|
to au,à,jusqu'au,jusquau,jusqu'à
from du,de,entre,dès
until jusqu'au,jusquau
and et
at à,a,vers,dès,environ,moins de
of de,le,du,la,d,l,en
clock h,heures,heure,hrs
am du matin,matin
pm de l'après-midi,du soir,soir
noon midi
midnight minuit
mark ||||mn,min|
suffix er,ère,eme,ème,e,nd
label date,heure,quand,horaire,horaires,début`},
	{"es", `
month enero,ene|febrero,feb|marzo,mar,mzo|abril,abr|mayo,may|junio,jun|julio,jul|agosto,ago|septiembre,setiembre,sept,sep,set|octubre,oct|noviembre,nov|diciembre,dic
weekday lunes,lun,lu|martes,mar,ma|miércoles,mié,mi,mier|jueves,jue,ju|viernes,vie,vi,vier|sábado,sáb,sá,sab|domingo,dom,do
weekdays los lunes|los martes|los miércoles|los jueves|los viernes|sábados,los sábados|domingos,los domingos
unit segundos,segundo|minutos,minuto|horas,hora|días,día|semanas,semana|meses,mes|años,año|décadas,década
number un,una,uno,primero,primer|dos,segundo|tres,tercero,tercer|cuatro,cuarto|cinco,quinto|seis|siete|ocho|nueve|diez|once|doce
relative anteayer,antes de ayer|ayer|hoy,esta noche|mañana|pasado mañana
now ahora,ahora mismo
before hace
in en,dentro de
next próximo,próxima,que viene
last pasado,pasada,último,última
this este,esta
every todos los,todas las,cada
each diario,todos los días,diariamente|semanal,semanalmente|mensual,mensualmente|anual|
to a,al,hasta,hasta el,a las
from de,del,desde,desde el,entre
until hasta,hasta el
and y,e
at a las,a la,alas,a,en,sobre las,cerca de,aproximadamente
of de,del,el,la,los,las,dia,en
clock h,hs,hrs,horas
am de la mañana,a.m
pm de la tarde,de la noche
noon mediodía,del mediodía
midnight medianoche
suffix º,o,ero
label fecha,hora,horario,cuándo,inicio`},
	{"it", `
month gennaio,genn,gen|febbraio,febbr,feb|marzo,mar|aprile,apr|maggio,magg,mag|giugno,giu|luglio,lug|agosto,ago|settembre,sett,set|ottobre,ott|novembre,nov|dicembre,dic
weekday lunedì,lun|martedì,mar|mercoledì,mer|giovedì,gio|venerdì,ven|sabato,sab|domenica,dom
weekdays ogni lunedì|ogni martedì|ogni mercoledì|ogni giovedì|ogni venerdì|sabati,ogni sabato|domeniche,ogni domenica
unit secondi,secondo|minuti,minuto|ore,ora|giorni,giorno|settimane,settimana|mesi,mese|anni,anno|decenni,decennio
number un,una,uno,primo,prima|due,secondo|tre,terzo|quattro,quarto|cinque|sei|sette|otto|nove|dieci
relative l'altro ieri,altro ieri,ieri l'altro,avantieri|ieri|oggi,stasera|domani|dopodomani,dopo domani
now ora,adesso
ago fa
in tra,fra
next prossimo,prossima
last scorso,scorsa,ultimo,ultima
this questo,questa
every ogni,tutti i,tutte le
each giornaliero,tutti i giorni,ogni giorno|settimanale|mensile|annuale|
to al,a,alle,fino al
from dal,dalle,da,tra
until fino al
and e,ed
at alle,ore,alle ore,h,dalle ore,all
of di,del,il,lo,la
clock ore,h
am di mattina,del mattino
pm di sera,del pomeriggio,pomeriggio
noon mezzogiorno
midnight mezzanotte
label data,ora,orario,quando,inizio`},
	{"pt", `
month janeiro,jan|fevereiro,fev|março,mar|abril,abr|maio,mai|junho,jun|julho,jul|agosto,ago|setembro,set|outubro,out|novembro,nov|dezembro,dez
weekday segunda-feira,segunda feira,segunda,seg|terça-feira,terça feira,terça,ter|quarta-feira,quarta feira,quarta,qua|quinta-feira,quinta feira,quinta,qui|sexta-feira,sexta feira,sexta,sex|sábado,sáb|domingo,dom
weekdays às segundas,segundas|terças|quartas|quintas|sextas|sábados|domingos
unit segundos,segundo|minutos,minuto|horas,hora|dias,dia|semanas,semana|meses,mês|anos,ano|décadas,década
number um,uma,primeiro|dois,duas|três|quatro|cinco|seis|sete|oito|nove|dez
relative anteontem,antes de ontem|ontem|hoje|amanhã|depois de amanhã
now agora,agora mesmo
ago há,atrás,faz
in em,dentro de,daqui a
next próximo,próxima,que vem
last último,última,passado,passada
this este,esta,neste,nesta
every todo,toda,todas as,todos os,cada
each diário,diariamente,todos os dias|semanal,semanalmente|mensal,mensalmente|anual|
to a,até,ao,às
from de,das,desde,entre
until até
and e
at às,as,à,pelas,em,a partir das,cerca de
of de,do,da,dia,no,na,em
clock h,hs,hrs,horas
am da manhã
pm da tarde,da noite
noon meio-dia,meio dia
midnight meia-noite,meia noite
label data,hora,horário,quando,início`},
	{"ro", `
month ianuarie,ian|februarie,feb|martie,mar|aprilie,apr|mai|iunie,iun|iulie,iul|august,aug|septembrie,sept,sep|octombrie,oct|noiembrie,nov,noi|decembrie,dec
weekday luni,lu,lun|marți,ma,mar|miercuri,mi,mie|joi,jo|vineri,vi,vin|sâmbătă,sâm,sa,sam,sambata|duminică,du,dum
unit secunde,secundă,sec|minute,minut|ore,oră,ora|zile,zi|săptămâni,săptămână|luni,lună|ani,an|decenii,deceniu,decadă
number un,una,o,întâi,unu|doi,două|trei|patru|cinci|șase|șapte|opt|nouă|zece
relative alaltăieri|ieri|azi,astăzi|mâine|poimâine
now acum,chiar acum
ago în urmă cu,acum,în urmă
in în,peste,in
next viitoare,viitor,următoarea,urmatoarea
last trecută,trecut,ultima
this această,acest,asta
every fiecare,în fiecare
to până la,la,pana la
from de la,din,între
until până la,până pe
and și
at ora,la,la ora,orele,de la ora
of de,din,pe,a
clock h
noon amiază,prânz
midnight miezul nopții
label data,ora`},
	{"ca", `
month gener,gen|febrer,febr,feb|març,mar|abril,abr|maig|juny|juliol,jul|agost,ag|setembre,set|octubre,oct|novembre,nov|desembre,des
weekday dilluns,dl|dimarts,dt|dimecres,dc|dijous,dj|divendres,dv|dissabte,ds|diumenge,dg
unit segons,segon|minuts,minut|hores,hora|dies,dia|setmanes,setmana|mesos,mes|anys,any|dècades,dècada
relative abans-d'ahir,abans d'ahir,abansdahir|ahir|avui|demà|demà passat
ago fa
in d'aquí a,en
next vinent,proper,propera,que ve
last passat,passada
every cada,tots els
to a,al,fins,fins al
from de,del,des
and i
at a les,a la
of de,d,del,el
clock h,hores
noon migdia
midnight mitjanit`},
	{"gl", `
month xaneiro,xan|febreiro,feb|marzo,mar|abril,abr|maio|xuño,xun|xullo,xul|agosto,ago|setembro,set|outubro,out|novembro,nov|decembro,dec
weekday luns|martes|mércores|xoves,xov|venres,ven|sábado,sáb|domingo
unit segundos,segundo|minutos,minuto|horas,hora|días,día|semanas,semana|meses,mes|anos,ano|décadas,década
relative antonte|onte|hoxe|mañá|pasado mañá
before hai
at ás
of de,do
every todos os,cada`},
	{"eo", `
month januaro|februaro|marto|aprilo|majo|junio|julio|aŭgusto|septembro|oktobro|novembro|decembro
weekday lundo|mardo|merkredo|ĵaŭdo|vendredo|sabato|dimanĉo
relative antaŭhieraŭ|hieraŭ|hodiaŭ|morgaŭ|postmorgaŭ
of de,la,a`},
}
