package dates

var wordsTurkic = []vocabulary{
	{"tr", `
month ocak,oca,ocağı|şubat,şub|mart,mar|nisan,nis|mayıs,may|haziran,haz|temmuz,tem|ağustos,ağu|eylül,eyl|ekim,eki|kasım,kas|aralık,ara
weekday pazartesi,pzt|salı,sal|çarşamba,çar,çrş|perşembe,per,prş|cuma,cum|cumartesi,cmt|pazar,paz,pzr
weekdays pazartesileri|salıları|çarşambaları|perşembeleri|cumaları|cumartesileri|pazarları
unit saniye,sn|dakika,dk|saat,sa|gün|hafta|ay|yıl,sene|on yıl
number bir|iki|üç|dört|beş|altı|yedi|sekiz|dokuz|on
relative önceki gün,evvelsi gün,dünden önceki gün|dün|bugün|yarın|öbür gün,yarından sonra
now şimdi,şu anda,az önce
ago önce
later sonra,içinde,içerisinde
next gelecek,önümüzdeki
last geçen,son
this bu
every her
each her gün,günlük|haftalık|aylık|yıllık|
to kadar
from itibaren
and ve
at saat
of günü,yılı
am öö,sabah
pm ös,akşam,öğleden sonra
noon öğlen,öğle
midnight gece yarısı
suffix de,da,te,ta
label tarih,saat`},
	{"az", `
month yanvar,yan|fevral,fev|mart,mar|aprel,apr|may|iyun|iyul|avqust,avq|sentyabr,sen|oktyabr,okt|noyabr,noy|dekabr,dek
weekday bazar ertəsi,b.e|çərşənbə axşamı,ç.a|çərşənbə,ç|cümə axşamı,c.a|cümə,c|şənbə,ş|bazar,b
unit saniyə|dəqiqə|saat|gün|həftə|ay|il|onillik
relative sırağagün|dünən|bu gün,bugün|sabah|birigün
ago əvvəl,öncə
later sonra
at saat
of il,ci,cı,cu,cü
suffix ci,cı,cu,cü`},
	{"kk ky", `
month қаңтар,қаң,январь|ақпан,ақп|наурыз,нау|сәуір,сәу|мамыр,мам|маусым,мау|шілде,шіл|тамыз,там|қыркүйек,қыр|қазан,қаз|қараша,қар|желтоқсан,жел
weekday дүйсенбі,дс,дүй,дүйшөмбү|сейсенбі,сс,сей,шейшемби|сәрсенбі,сәр,шаршемби|бейсенбі,бс,бей,бейшемби|жұма,жм,жұм,жума|сенбі,сен,ишемби|жексенбі,жс,жек,жекшемби
unit секунд|минут|сағат|күн|апта|ай|жыл|онжылдық
relative алдыңгүні|кеше|бүгін|ертең|бүрсігүні
ago бұрын
later кейін
at сағат
of жылы,жылғы,ж
suffix шы,ші`},
	{"uz", `
month yanvar,yan|fevral,fev|mart,mar|aprel,apr|may|iyun,iyn|iyul,iyl|avgust,avg|sentyabr,sen,sentabr|oktyabr,okt,oktabr|noyabr,noy|dekabr,dek
weekday dushanba,dush|seshanba,sesh|chorshanba,chor|payshanba,pay|juma,jum|shanba,shan|yakshanba,yak
unit soniya|daqiqa|soat|kun|hafta|oy|yil|
relative |kecha|bugun|ertaga|indinga
ago oldin
at soat
of yil`},
	{"mn", `
month нэгдүгээр сар,1 р сар|хоёрдугаар сар|гуравдугаар сар|дөрөвдүгээр сар|тавдугаар сар|зургаадугаар сар|долдугаар сар|наймдугаар сар|есдүгээр сар|аравдугаар сар|арван нэгдүгээр сар|арван хоёрдугаар сар
weekday даваа|мягмар|лхагва|пүрэв|баасан|бямба|ням
relative уржигдар|өчигдөр|өнөөдөр|маргааш|нөгөөдөр
mark он,оны|сар,сарын|өдөр,ны,ний|||`},
}
