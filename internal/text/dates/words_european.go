package dates

// wordsEuropean are the languages of Europe outside the large families.
var wordsEuropean = []vocabulary{
	{"hu", `
month január,januárban,januári,jan|február,februárban,febr,feb|március,márciusban,márc,már|április,áprilisban,ápr|május,májusban,máj|június,júniusban,jún|július,júliusban,júl|augusztus,augusztusban,aug|szeptember,szeptemberben,szept|október,októberben,okt|november,novemberben,nov|december,decemberben,dec
weekday hétfő,hétfőn,hé,h|kedd,kedden,ke,k|szerda,szerdán,sze|csütörtök,csütörtökön,csüt,cs,csu|péntek,pénteken,pén,pé,p|szombat,szombaton,szo|vasárnap,vas,va,v
weekdays hétfőnként|keddenként|szerdánként|csütörtökönként|péntekenként|szombatonként|vasárnaponként
unit másodperce,másodperc,másodperccel,mp|perce,perc,perccel,percen|órája,óra,órával,órán|napja,nap,nappal,napon|hete,hét,héttel,héten|hónapja,hónap,hónappal|éve,év,évvel,éven|évtizede,évtized
number egy,első|két,kettő,második|három,harmadik|négy,negyedik|öt|hat|hét|nyolc|kilenc|tíz
relative tegnapelőtt|tegnap|ma|holnap|holnapután
now most
ago ezelőtt,előtt
later múlva
next jövő,következő
last múlt,elmúlt
every minden
each naponta,minden nap|hetente|havonta|évente|
and és
at kor
of a,az
clock óra,órakor
am de,délelőtt,reggel
pm du,délután,este
noon dél,délben
midnight éjfél,éjfélkor
suffix én,án,jén,ján,e,je,i
label dátum,időpont`},
	{"el", `
month ιανουάριος,ιανουαρίου,γενάρης,ιαν|φεβρουάριος,φεβρουαρίου,φεβ|μάρτιος,μαρτίου,μάρτης,μαρ,μάρ|απρίλιος,απριλίου,απρίλης,απρ|μάιος,μαΐου,μάης,μάϊος,μαι,μαΐ|ιούνιος,ιουνίου,ιούνης,ιουν,ιούν|ιούλιος,ιουλίου,ιούλης,ιουλ,ιούλ|αύγουστος,αυγούστου,αυγ,αύγ|σεπτέμβριος,σεπτεμβρίου,σεπτέμβρης,σεπ,σεπτ|οκτώβριος,οκτωβρίου,οκτώβρης,οκτ|νοέμβριος,νοεμβρίου,νοέμβρης,νοε,νοέ,νοεμ|δεκέμβριος,δεκεμβρίου,δεκέμβρης,δεκ
weekday δευτέρα,δευ,δε|τρίτη,τρι,τρ|τετάρτη,τετ,τε|πέμπτη,πεμ,πέμ,πέ|παρασκευή,παρ,πα|σάββατο,σαβ,σάβ,σά|κυριακή,κυρ,κυ
unit δευτερόλεπτα,δευτερόλεπτο,δεύτερα,δευτ|λεπτά,λεπτό|ώρες,ώρα|ημέρες,ημέρα,μέρες,μέρα|εβδομάδες,εβδομάδα|μήνες,μήνα,μήνας|χρόνια,έτη,έτος,χρόνος,χρόνο|δεκαετίες,δεκαετία
number ένα,μία,ένας,πρώτη|δύο,δεύτερη|τρία,τρεις,τρίτη|τέσσερα,τέσσερις|πέντε|έξι|επτά,εφτά|οκτώ,οχτώ|εννέα,εννιά|δέκα
relative προχθές,προχτές|χθες,χτες,εχθές|σήμερα|αύριο|μεθαύριο
now τώρα
before πριν από,πριν
in σε
next επόμενη,επόμενο,επόμενος
last προηγούμενη,περασμένη,προηγούμενο,περασμένο
every κάθε
and και
at στις,ώρα,στη
of του,της,τη,την
am π.μ,πμ,π μ,το πρωί
pm μ.μ,μμ,μ μ,το βράδυ,το απόγευμα
noon μεσημέρι
midnight μεσάνυχτα
suffix η,ης
to έως,μέχρι,ως
from από
until έως,μέχρι`},
	{"eu", `
month urtarrila,urtarrilaren,urtarrilak,urt,urtarrilean|otsaila,otsailaren,otsailak,ots|martxoa,martxoaren,martxoak,mar|apirila,apirilaren,apirilak,api|maiatza,maiatzaren,maiatzak,mai|ekaina,ekainaren,ekainak,eka|uztaila,uztailaren,uztailak,uzt|abuztua,abuztuaren,abuztuak,abu|iraila,irailaren,irailak,ira|urria,urriaren,urriak,urr|azaroa,azaroaren,azaroak,aza|abendua,abenduaren,abenduak,abe
weekday astelehena,al,astelehen|asteartea,ar,astearte|asteazkena,az,asteazken|osteguna,og,ostegun|ostirala,or,ostiral|larunbata,lr,larunbat|igandea,ig,igande
unit segundo|minutu|ordu|egun|aste|hilabete|urte|hamarkada
relative herenegun|atzo|gaur|bihar|etzi
before duela
of ko,eko,a
at etan`},
	{"cy", `
month ionawr,ion|chwefror,chwef,chwe|mawrth,maw|ebrill,ebr|mai|mehefin,meh|gorffennaf,gorff,gor|awst|medi|hydref,hyd|tachwedd,tach|rhagfyr,rhag
weekday dydd llun,llun|dydd mawrth|dydd mercher,mercher,mer|dydd iau,iau|dydd gwener,gwener,gwe|dydd sadwrn,sadwrn,sad|dydd sul,sul
relative echdoe|ddoe|heddiw|yfory|drennydd
suffix af,fed,eg,ain,il,ydd
of o,y
at am`},
	{"ga", `
month eanáir,ean|feabhra,feabh|márta|aibreán,aib|bealtaine,beal|meitheamh,meith|iúil|lúnasa,lún|meán fómhair,mfómh|deireadh fómhair,dfómh|samhain,samh|nollaig,noll
weekday dé luain,luan|dé máirt,máirt|dé céadaoin,céad|déardaoin|dé haoine,aoine|dé sathairn,sath|dé domhnaigh,domh
relative arú inné|inné|inniu|amárach|arú amárach
of de,an
suffix ú`},
	{"sq", `
month janar|shkurt|mars|prill|maj|qershor|korrik|gusht|shtator|tetor|nëntor|dhjetor
weekday e hënë,hënë|e martë,martë|e mërkurë,mërkurë|e enjte,enjte|e premte,premte|e shtunë,shtunë|e diel,diel
relative pardje|dje|sot|nesër|pasnesër
at ora,në
of më,e`},
	{"mt", `
month jannar|frar|marzu|april|mejju|ġunju|lulju|awwissu|settembru|ottubru|novembru|diċembru
weekday it-tnejn,tnejn|it-tlieta,tlieta|l-erbgħa,erbgħa|il-ħamis,ħamis|il-ġimgħa,ġimgħa|is-sibt,sibt|il-ħadd,ħadd
of ta`},
	{"ka", `
month იანვარი,იანვარს,იანვრის,იან|თებერვალი,თებერვალს,თებერვლის,თებ|მარტი,მარტს,მარტის,მარ|აპრილი,აპრილს,აპრილის,აპრ|მაისი,მაისს,მაისის,მაი|ივნისი,ივნისს,ივნისის,ივნ|ივლისი,ივლისს,ივლისის,ივლ|აგვისტო,აგვისტოს,აგვ|სექტემბერი,სექტემბერს,სექტემბრის,სექ|ოქტომბერი,ოქტომბერს,ოქტომბრის,ოქტ|ნოემბერი,ნოემბერს,ნოემბრის,ნოე|დეკემბერი,დეკემბერს,დეკემბრის,დეკ
weekday ორშაბათი,ორშაბათს,ორშ|სამშაბათი,სამშაბათს,სამ|ოთხშაბათი,ოთხშაბათს,ოთხ|ხუთშაბათი,ხუთშაბათს,ხუთ|პარასკევი,პარასკევს,პარ|შაბათი,შაბათს,შაბ|კვირა,კვირას,კვი
unit წამის,წამი|წუთის,წუთი|საათის,საათი|დღის,დღე|კვირის,კვირა|თვის,თვე|წლის,წელი|ათწლეული
relative გუშინწინ|გუშინ|დღეს|ხვალ|ზეგ
ago წინ,უკან
of წ,წელი,წლის
clock საათზე,საათი`},
	{"hy", `
month հունվար,հունվարի,հնվ|փետրվար,փետրվարի,փտվ|մարտ,մարտի,մրտ|ապրիլ,ապրիլի,ապր|մայիս,մայիսի,մյս|հունիս,հունիսի,հնս|հուլիս,հուլիսի,հլս|օգոստոս,օգոստոսի,օգս|սեպտեմբեր,սեպտեմբերի,սեպ|հոկտեմբեր,հոկտեմբերի,հոկ|նոյեմբեր,նոյեմբերի,նոյ|դեկտեմբեր,դեկտեմբերի,դեկ
weekday երկուշաբթի,երկ|երեքշաբթի,երք|չորեքշաբթի,չրք|հինգշաբթի,հնգ|ուրբաթ,ուր|շաբաթ,շբթ|կիրակի,կիր
unit վայրկյան|րոպե|ժամ|օր|շաբաթ|ամիս|տարի|տասնամյակ
relative երեկ չէ առաջին օրը|երեկ|այսօր|վաղը|
ago առաջ
at ժամը
of թ,թվականի`},
}
