package dates

// wordsGermanic has English first: it wins where a word means different things.
var wordsGermanic = []vocabulary{
	{"en", `
month january,jan|february,feb,febr|march,mar|april,apr|may|june,jun|july,jul|august,aug|september,sept,sep|october,oct|november,nov|december,dec
weekday monday,mon|tuesday,tues,tue|wednesday,wed,weds,wednes|thursday,thurs,thur,thu|friday,fri|saturday,sat|sunday,sun
weekdays mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays
unit seconds,second,secs,sec|minutes,minute,mins,min|hours,hour,hrs,hr|days,day|weeks,week,wks,wk|months,month|years,year,yrs,yr|decades,decade
number one,first,a,an|two,second|three,third|four,fourth|five,fifth|six,sixth|seven,seventh|eight,eighth|nine,ninth|ten,tenth|eleven,eleventh|twelve,twelfth|thirteen,thirteenth|fourteen,fourteenth|fifteen,fifteenth|sixteen,sixteenth|seventeen,seventeenth|eighteen,eighteenth|nineteen,nineteenth|twenty,twentieth||||||||||thirty,thirtieth
relative day before yesterday,the day before yesterday|yesterday|today,tonight,this evening,this morning,this afternoon|tomorrow,tmrw|day after tomorrow,the day after tomorrow
now just now,right now,now
ago ago,earlier,before now
in in,within
later later,from now,hence
next next,coming,following,upcoming
last last,previous,past
this this
every every,each
each daily,every day|weekly|monthly|yearly,annually|weekdays,every weekday,on weekdays
to to,through,thru,till
from from,between
until until,till,through
and and
at at,@,by,about,around,approximately
of of,the,on,in,year,dated,day
clock o clock,oclock,hrs,hours,h,hr
am am,a.m,a m,in the morning,morning
pm pm,p.m,p m,in the afternoon,in the evening,in the night,evening,afternoon,at night
noon noon,midday
midnight midnight
mark ||||min,mins,minutes|sec,secs,seconds
suffix st,nd,rd,th
label date,dates,time,times,when,start,starts,starting,end,ends,begins,doors,day,hours,show
part night,evening,morning,afternoon,noon`},
	{"de", `
month januar,jänner,jan,jän,jaenner|februar,feber,feb|märz,mär,mrz,maerz|april,apr|mai|juni,jun|juli,jul|august,aug|september,sept,sep|oktober,okt|november,nov|dezember,dez
weekday montag,mo,mon|dienstag,di|mittwoch,mi,mit|donnerstag,do,don|freitag,fr,fre|samstag,sonnabend,sa,sam|sonntag,so,son
weekdays montags|dienstags|mittwochs|donnerstags|freitags|samstags,sonnabends|sonntags
unit sekunden,sekunde,sek|minuten,minute|stunden,stunde,std|tagen,tage,tag,tages|wochen,woche|monaten,monate,monat|jahren,jahre,jahr|jahrzehnten,jahrzehnte,jahrzehnt
number ein,eine,einen,einem,einer,erste,ersten,erster|zwei,zweite,zweiten,zweiter|drei,dritte,dritten,dritter|vier,vierte,vierten|fünf,fünfte,fünften|sechs,sechste,sechsten|sieben,siebte,siebten|acht,achte,achten|neun,neunte,neunten|zehn,zehnte,zehnten|elf,elfte,elften|zwölf,zwölfte,zwölften
relative vorgestern|gestern|heute,heute abend|morgen|übermorgen
now jetzt,gerade eben
before vor
ago her
in in,im,innerhalb von
later später
next nächste,nächsten,nächster,nächstes,kommenden,kommende,kommender
last letzte,letzten,letzter,letztes,vergangene,vergangenen,vorige,vorigen
this diese,diesen,dieser,dieses
every jeden,jede,jeder,jedes,jeweils
each täglich|wöchentlich|monatlich|jährlich|werktags
to bis,bis zum
from von,vom,zwischen,ab
until bis,bis zum
and und
at um,ab,gegen,ca,etwa,ungefähr
of am,der,den,des,im,dem
clock uhr,h
am morgens,vormittags,früh
pm nachmittags,abends,nachts
noon mittag,mittags
midnight mitternacht
mark ||||min,minuten|sek
suffix ten,te,ter
label datum,termin,zeit,uhrzeit,beginn,wann,einlass,start`},
	{"nl", `
month januari,jan|februari,feb|maart,mrt|april,apr|mei|juni,jun|juli,jul|augustus,aug|september,sept,sep|oktober,okt|november,nov|december,dec
weekday maandag,ma,maa|dinsdag,di,din|woensdag,wo,woe|donderdag,do,don|vrijdag,vr,vrij|zaterdag,za,zat|zondag,zo,zon
weekdays maandagen,'s maandags|dinsdagen|woensdagen|donderdagen|vrijdagen|zaterdagen|zondagen
unit seconden,seconde|minuten,minuut|uren,uur|dagen,dag|weken,week|maanden,maand|jaren,jaar|decennia,decennium
number een,eerste|twee,tweede|drie,derde|vier,vierde|vijf,vijfde|zes,zesde|zeven|acht|negen|tien
relative eergisteren|gisteren|vandaag,vanavond|morgen|overmorgen
now nu,zojuist
ago geleden
in over,binnen
next volgende,komende
last vorige,afgelopen,laatste
this deze,dit
every elke,iedere,ieder,elk
each dagelijks|wekelijks|maandelijks|jaarlijks|
to tot,t m,t/m,tot en met
from van,vanaf,tussen
until tot,tot en met
and en
at om,vanaf
of op,van,de
clock uur,u
noon middag
midnight middernacht
suffix e,de,ste
label datum,tijd,wanneer,aanvang`},
	{"af", `
month januarie|februarie|maart|april|mei|junie|julie|augustus|september|oktober|november|desember,des
weekday maandag|dinsdag|woensdag|donderdag|vrydag,vry|saterdag|sondag
unit sekondes,sekonde|minute,minuut|ure,uur|dae,dag|weke,week|maande,maand|jare,jaar|dekades,dekade
relative eergister|gister|vandag|!môre|oormôre
ago gelede
in oor
last verlede
am vm,v.m
pm nm,n.m
every elke`},
	{"lb", `
month januar|februar|mäerz|abrëll|mee|juni|juli|august|september|oktober|november|dezember
weekday méindeg|dënschdeg|mëttwoch|donneschdeg|freideg|samschdeg|sonndeg
relative virgëschter|gëschter|!haut|muer|iwwermuer
clock auer`},
}
