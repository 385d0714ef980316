package dates

var wordsEastAsian = []vocabulary{
	{"zh ja", `
month 一月,一月份|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月
weekday 星期一,周一,週一,月曜日,月曜,礼拜一,禮拜一|星期二,周二,週二,火曜日,火曜|星期三,周三,週三,水曜日,水曜|星期四,周四,週四,木曜日,木曜|星期五,周五,週五,金曜日,金曜|星期六,周六,週六,土曜日,土曜|星期日,星期天,周日,週日,周天,日曜日,日曜
unit 秒,秒钟,秒鐘|分钟,分鐘,分,分間|小时,小時,时间,時間,个小时,個小時|天,日,日間,天内|周,週,星期,个星期,個星期,週間,礼拜|个月,個月,ヶ月,か月,カ月,ヵ月,月,月间|年,年間|十年,年代
number 一,１|二,两,兩|三|四|五|六|七|八|九|十|十一|十二|十三|十四|十五|十六|十七|十八|十九|二十|二十一|二十二|二十三|二十四|二十五|二十六|二十七|二十八|二十九|三十|三十一
relative 前天,一昨日,おととい|昨天,昨日,きのう|今天,今日,本日,きょう|明天,明日,あした|后天,後天,明後日,あさって
now 刚刚,剛剛,现在,現在,今
ago 前,之前,以前
later 后,後,之后,以後,以内,内
next 下,下个,下個,来,翌
last 上,上个,上個,先,去,昨
this 这,這,本,今
every 每,每个,每個,毎
each 每天,每日,毎日|每周,每週,毎週|每月,毎月|每年,毎年|平日
to 至,到,から,まで
from 从,從,自
and 和,及,と
at 于,在,の,に
of 的,公元,西暦
am 上午,午前,早上,凌晨,清晨,早
pm 下午,午後,晚上,晚,夜,夜间,傍晚
noon 中午,正午
midnight 午夜,半夜,零点,零時
mark 年|月|日,号,號|时,時,点,點,点钟,點鐘|分,分钟|秒
label 日期,时间,時間,日時,开始,開始,開催`},
	{"ko", `
weekday 월요일|화요일|수요일|목요일|금요일|토요일|일요일
unit 초|분|시간|일|주,주일|개월,달,월|년|십년
number 한,하루|두|세|네|다섯|여섯|일곱|여덟|아홉|열
relative 그저께,그제|어제|오늘|내일|모레
now 지금,방금
ago 전,이전
later 후,뒤
next 다음
last 지난,저번
this 이번
every 매,매주
each 매일|매주|매월|매년|평일
to 까지,부터
and 및
at 에,의
of 서기
am 오전,아침,새벽
pm 오후,저녁,밤
noon 정오
midnight 자정
mark 년|월|일|시|분|초
label 일시,날짜,시간`},
	{"th", `
month มกราคม,ม.ค,มกรา,มค,เดือนมกราคม|กุมภาพันธ์,ก.พ,กุมภา,กพ,เดือนกุมภาพันธ์|มีนาคม,มี.ค,มีนา,มีค,เดือนมีนาคม|เมษายน,เม.ย,เมษา,เมย,เดือนเมษายน|พฤษภาคม,พ.ค,พฤษภา,พค,เดือนพฤษภาคม|มิถุนายน,มิ.ย,มิถุนา,มิย,เดือนมิถุนายน|กรกฎาคม,ก.ค,กรกฎา,กค,เดือนกรกฎาคม|สิงหาคม,ส.ค,สิงหา,สค,เดือนสิงหาคม|กันยายน,ก.ย,กันยา,กย,เดือนกันยายน|ตุลาคม,ต.ค,ตุลา,ตค,เดือนตุลาคม|พฤศจิกายน,พ.ย,พฤศจิกา,พย,เดือนพฤศจิกายน|ธันวาคม,ธ.ค,ธันวา,ธค,เดือนธันวาคม
weekday วันจันทร์,จันทร์,จ.|วันอังคาร,อังคาร|วันพุธ,พุธ|วันพฤหัสบดี,พฤหัสบดี,พฤหัส,วันพฤหัส|วันศุกร์,ศุกร์|วันเสาร์,เสาร์|วันอาทิตย์,อาทิตย์
unit วินาที|นาที|ชั่วโมง|วัน|สัปดาห์,อาทิตย์|เดือน|ปี|ทศวรรษ
number หนึ่ง|สอง|สาม|สี่|ห้า|หก|เจ็ด|แปด|เก้า|สิบ
relative เมื่อวานซืน,วานซืน|เมื่อวาน,เมื่อวานนี้|วันนี้|พรุ่งนี้|มะรืนนี้,วันมะรืน
now ตอนนี้,ขณะนี้,เดี๋ยวนี้
ago ที่แล้ว,ที่ผ่านมา,ก่อน,มาแล้ว
in ใน,อีก
next หน้า,ถัดไป
last ที่แล้ว,ก่อนหน้า
every ทุก
to ถึง,จนถึง
from ตั้งแต่,จาก
and และ
at เวลา,เมื่อ
of ที่,ปี,ของ
clock น.,นาฬิกา,โมง
am ก่อนเที่ยง,เช้า
pm หลังเที่ยง,บ่าย,เย็น
noon เที่ยง,เที่ยงวัน
midnight เที่ยงคืน
buddhist พ.ศ.,พ.ศ,พุทธศักราช`},
	{"vi", `
month tháng một,tháng giêng,thg 1|tháng hai,thg 2|tháng ba,thg 3|tháng tư,tháng bốn,thg 4|tháng năm,thg 5|tháng sáu,thg 6|tháng bảy,thg 7|tháng tám,thg 8|tháng chín,thg 9|tháng mười,thg 10|tháng mười một,thg 11|tháng mười hai,tháng chạp,thg 12
weekday thứ hai,t2|thứ ba,t3|thứ tư,t4|thứ năm,t5|thứ sáu,t6|thứ bảy,t7|chủ nhật,chúa nhật,cn
unit giây|phút|giờ,tiếng|ngày|tuần|tháng|năm|thập kỷ,thập niên
number một|hai|ba|bốn|năm|sáu|bảy|tám|chín|mười
relative hôm kia,hôm trước|hôm qua|hôm nay|ngày mai|ngày kia,ngày mốt
now bây giờ,vừa xong
ago trước,cách đây
in trong,sau
later nữa,sau,tới
next tới,sau
last trước,qua
this này
every mỗi,hàng
to đến,tới
from từ
and và
at lúc,vào lúc,vào
of năm,ngày
clock giờ,h
am sáng,sa
pm chiều,tối,ch
noon trưa
midnight nửa đêm
mark năm|tháng,thg|ngày,mùng|giờ|phút|giây
label ngày,thời gian`},
	{"id ms", `
month januari,jan|februari,feb,pebruari,peb|maret,mar,mac,mrt|april,apr|mei,mai|juni,jun|juli,jul,julai|agustus,agu,agt,ags,ogos,ogo|september,sep,sept|oktober,okt|november,nov,nop,nopember|desember,des,disember,dis
weekday senin,sen,isnin|selasa,sel|rabu,rab|kamis,kam,khamis|jumat,jum,jumaat|sabtu,sab|minggu,min,ahad,mgg
unit detik,saat|menit,minit|jam|hari|minggu|bulan|tahun|dekade,dasawarsa
number satu,pertama|dua,kedua|tiga,ketiga|empat|lima|enam|tujuh|delapan,lapan|sembilan|sepuluh
relative kemarin lusa,kelmarin|kemarin,semalam|hari ini|besok,esok|lusa
now sekarang
ago lalu,yang lalu,lepas
in dalam
later lagi
next depan
last lalu,terakhir
this ini
every setiap,tiap
to sampai,hingga,s d
from dari,mulai
until sampai,hingga
and dan
at pukul,jam,pkl
of tanggal,tgl,pada,hari
am pagi
pm sore,malam,siang,petang
noon tengah hari
midnight tengah malam
label tanggal,waktu`},
	{"tl", `
month enero,ene|pebrero,peb|marso,mar|abril,abr|mayo|hunyo,hun|hulyo,hul|agosto,ago|setyembre,set|oktubre,okt|nobyembre,nob|disyembre,dis
weekday lunes,lun|martes|miyerkules,miyerkoles,miy|huwebes,huw|biyernes,biy|sabado,sab|linggo,lin
unit segundo|minuto|oras|araw|linggo|buwan|taon|dekada
relative |kahapon|ngayon,ngayong araw|bukas|
ago nakaraan,nakalipas
in sa
at alas,ganap na
of ng,ika,noong
am ng umaga,umaga
pm ng hapon,ng gabi,hapon,gabi
every tuwing,bawat`},
	{"my km lo sw", `
month januari|februari|machi|aprili|mei|juni|julai|agosti|septemba|oktoba|novemba|desemba
weekday jumatatu|jumanne|jumatano|alhamisi|ijumaa|jumamosi|jumapili
relative juzi|!jana|!leo|kesho|kesho kutwa
at saa`},
}
