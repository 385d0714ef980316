package money

// sign is a way in which people write a currency.
type sign struct {
	text  string
	codes string // the currencies that share it, by country; see shared
	use   use
}

// use says where a sign may stand for it to be believed.
type use int

const (
	anywhere use = iota
	prefix       // only before the amount
	suffix       // only behind it
	alone        // means other things in running text: only where the text is a price and little else
	cents        // a hundredth of the currency, behind the amount
)

// shared are the signs that several countries use, with the currency for each
// country or language that tells them apart. "*" is what the sign means nearly
// everywhere; without it nothing is guessed.
var shared = map[string]map[string]string{
	"$": {
		"US": "USD", "PR": "USD", "EC": "USD", "SV": "USD", "CA": "CAD", "AU": "AUD", "NZ": "NZD", "MX": "MXN", "AR": "ARS",
		"CL": "CLP", "CO": "COP", "UY": "UYU", "DO": "DOP", "CU": "CUP", "SG": "SGD", "HK": "HKD", "TW": "TWD", "BN": "BND",
		"FJ": "FJD", "JM": "JMD", "TT": "TTD", "BB": "BBD", "BS": "BSD", "BZ": "BZD", "GY": "GYD", "SR": "SRD", "LR": "LRD",
		"NA": "NAD", "KY": "KYD", "BM": "BMD", "SB": "SBD", "KI": "AUD", "NR": "AUD", "TV": "AUD", "GU": "USD", "VI": "USD",
		"AG": "XCD", "DM": "XCD", "GD": "XCD", "KN": "XCD", "LC": "XCD", "VC": "XCD", "BR": "BRL", "MO": "MOP",
	},
	"kr": {
		"DK": "DKK", "FO": "DKK", "GL": "DKK", "NO": "NOK", "SJ": "NOK", "SE": "SEK", "IS": "ISK",
		"da": "DKK", "fo": "DKK", "kl": "DKK", "no": "NOK", "nb": "NOK", "nn": "NOK", "sv": "SEK", "is": "ISK",
	},
	"¥": {"JP": "JPY", "CN": "CNY", "ja": "JPY", "zh": "CNY"},
	"元": {"CN": "CNY", "TW": "TWD", "HK": "HKD", "MO": "MOP", "*": "CNY"},
	"£": {"GB": "GBP", "EG": "EGP", "LB": "LBP", "SY": "SYP", "SD": "SDG", "SS": "SSP", "GI": "GIP", "FK": "FKP", "SH": "SHP", "TR": "TRY", "tr": "TRY", "*": "GBP"},
	"Rs": {
		"IN": "INR", "PK": "PKR", "LK": "LKR", "NP": "NPR", "MU": "MUR", "SC": "SCR", "MV": "MVR",
		"hi": "INR", "ta": "INR", "te": "INR", "mr": "INR", "gu": "INR", "kn": "INR", "ml": "INR", "ur": "PKR", "si": "LKR", "ne": "NPR",
	},
	"lei": {"RO": "RON", "MD": "MDL", "*": "RON"},
	"L":   {"HN": "HNL", "RO": "RON", "MD": "MDL", "AL": "ALL", "IT": "ITL", "LS": "LSL"},
	"R":   {"ZA": "ZAR", "*": "ZAR"},
	"Fr": {
		"CH": "CHF", "LI": "CHF", "de": "CHF", "it": "CHF", "rm": "CHF", "SN": "XOF", "CI": "XOF", "CM": "XAF", "GN": "GNF",
		"CD": "CDF", "RW": "RWF", "BI": "BIF", "DJ": "DJF", "KM": "KMF",
	},
	"CFA":   {"CM": "XAF", "GA": "XAF", "TD": "XAF", "CG": "XAF", "CF": "XAF", "GQ": "XAF", "SN": "XOF", "CI": "XOF", "BJ": "XOF", "BF": "XOF", "ML": "XOF", "NE": "XOF", "TG": "XOF", "GW": "XOF"},
	"din":   {"RS": "RSD", "sr": "RSD", "DZ": "DZD", "TN": "TND", "KW": "KWD", "IQ": "IQD", "JO": "JOD", "BH": "BHD", "LY": "LYD"},
	"dinar": {"KW": "KWD", "IQ": "IQD", "JO": "JOD", "BH": "BHD", "LY": "LYD", "DZ": "DZD", "TN": "TND", "RS": "RSD", "sr": "RSD"},
	"rial":  {"SA": "SAR", "QA": "QAR", "OM": "OMR", "YE": "YER", "IR": "IRR", "fa": "IRR"},
	"pound": {"GB": "GBP", "EG": "EGP", "LB": "LBP", "SY": "SYP", "SD": "SDG", "SS": "SSP", "*": "GBP"},
	"جنيه":  {"EG": "EGP", "SD": "SDG", "*": "EGP"},
	"درهم":  {"AE": "AED", "MA": "MAD", "*": "AED"},
	"DH":    {"AE": "AED", "MA": "MAD"},
	"peso":  {"MX": "MXN", "AR": "ARS", "CL": "CLP", "CO": "COP", "UY": "UYU", "DO": "DOP", "CU": "CUP", "PH": "PHP", "tl": "PHP"},
	"crown": {"CZ": "CZK", "cs": "CZK", "SK": "SKK", "*": "CZK"},
	"Br":    {"BY": "BYN", "ET": "ETB", "be": "BYN", "am": "ETB"},
	"so'm":  {"UZ": "UZS", "KG": "KGS", "uz": "UZS", "ky": "KGS"},
	"manat": {"AZ": "AZN", "TM": "TMT", "az": "AZN", "tk": "TMT", "*": "AZN"},
	"Sh":    {"KE": "KES", "TZ": "TZS", "UG": "UGX", "SO": "SOS"},
	"Bs":    {"BO": "BOB", "VE": "VES"},
	"Kc":    {"*": "CZK"},
	"K":     {"ZM": "ZMW", "MM": "MMK", "PG": "PGK", "MW": "MWK", "LA": "LAK"},
	"P":     {"PH": "PHP", "BW": "BWP"},
	"С":     {"KG": "KGS"},
	"¢":     {"US": "USD", "CA": "CAD", "AU": "AUD", "NZ": "NZD", "CR": "CRC", "SG": "SGD"},
	"Cent":  {"US": "USD", "CA": "CAD", "AU": "AUD", "DE": "EUR", "AT": "EUR", "de": "EUR", "fi": "EUR", "fr": "EUR", "nl": "EUR", "it": "EUR", "es": "EUR", "pt": "EUR"},
	"KM":    {"BA": "BAM", "bs": "BAM", "*": "BAM"},
	"DM":    {"*": "DEM"},
	"C$":    {"CA": "CAD", "NI": "NIO"},
	"toman": {}, // ten rials, and no currency of ISO 4217
	"F":     {"CH": "CHF", "PF": "XPF", "NC": "XPF", "FR": "FRF"},
}

// signs are all ways to write a currency besides its code. A name of shared in
// place of a code means that the country decides.
var signs = []sign{
	{"$", "$", anywhere}, {"＄", "$", anywhere}, {"€", "EUR", anywhere}, {"£", "£", anywhere}, {"￡", "£", anywhere}, {"₤", "£", anywhere},
	{"¥", "¥", anywhere}, {"￥", "¥", anywhere}, {"₽", "RUB", anywhere}, {"₹", "INR", anywhere}, {"₩", "KRW", anywhere}, {"￦", "KRW", anywhere},
	{"₺", "TRY", anywhere}, {"₴", "UAH", anywhere}, {"₪", "ILS", anywhere}, {"₫", "VND", anywhere}, {"฿", "THB", anywhere},
	{"₱", "PHP", anywhere}, {"₦", "NGN", anywhere}, {"₡", "CRC", anywhere}, {"₲", "PYG", anywhere}, {"₵", "GHS", anywhere},
	{"₸", "KZT", anywhere}, {"₮", "MNT", anywhere}, {"₭", "LAK", anywhere}, {"₼", "AZN", anywhere}, {"₾", "GEL", anywhere},
	{"֏", "AMD", anywhere}, {"៛", "KHR", anywhere}, {"৳", "BDT", anywhere}, {"₨", "Rs", anywhere}, {"؋", "AFN", anywhere},
	{"﷼", "rial", anywhere}, {"₣", "Fr", anywhere}, {"₧", "ESP", anywhere}, {"₥", "", anywhere}, {"৲", "BDT", anywhere}, {"ƒ", "", prefix},
	{"⃀", "KGS", anywhere}, {"௹", "Rs", anywhere}, {"૱", "INR", anywhere}, {"෴", "LKR", anywhere}, {"රු", "LKR", anywhere}, {"रु", "Rs", anywhere},

	{"US$", "USD", anywhere}, {"U$S", "USD", anywhere}, {"US $", "USD", prefix}, {"U$", "USD", prefix}, {"USD$", "USD", anywhere},
	{"A$", "AUD", anywhere}, {"AU$", "AUD", anywhere}, {"AU $", "AUD", prefix}, {"AUD$", "AUD", anywhere}, {"C$", "C$", anywhere},
	{"CA$", "CAD", anywhere}, {"CA $", "CAD", prefix}, {"CAN$", "CAD", anywhere}, {"CDN$", "CAD", anywhere}, {"CAD$", "CAD", anywhere},
	{"Can$", "CAD", anywhere}, {"NZ$", "NZD", anywhere}, {"NZ $", "NZD", prefix}, {"HK$", "HKD", anywhere}, {"HK $", "HKD", prefix},
	{"S$", "SGD", anywhere}, {"SG$", "SGD", anywhere}, {"NT$", "TWD", anywhere}, {"NT", "TWD", alone}, {"MX$", "MXN", anywhere}, {"Mex$", "MXN", anywhere},
	{"R$", "BRL", anywhere}, {"RD$", "DOP", anywhere}, {"J$", "JMD", anywhere}, {"TT$", "TTD", anywhere}, {"Z$", "ZWL", anywhere},
	{"N$", "NAD", anywhere}, {"B$", "BND", anywhere}, {"BZ$", "BZD", anywhere}, {"Bds$", "BBD", anywhere}, {"EC$", "XCD", anywhere},
	{"FJ$", "FJD", anywhere}, {"G$", "GYD", anywhere}, {"L$", "LRD", anywhere}, {"SI$", "SBD", anywhere}, {"T$", "TOP", anywhere},
	{"WS$", "WST", anywhere}, {"MOP$", "MOP", anywhere}, {"CUC$", "CUC", anywhere}, {"CU$", "CUP", anywhere}, {"$U", "UYU", prefix},
	{"$b", "BOB", anywhere}, {"COL$", "COP", anywhere}, {"CLP$", "CLP", anywhere}, {"AR$", "ARS", anywhere}, {"CI$", "KYD", anywhere},
	{"E£", "EGP", anywhere}, {"£E", "EGP", anywhere}, {"LE", "EGP", prefix}, {"L.E.", "EGP", anywhere}, {"GH₵", "GHS", anywhere}, {"GH¢", "GHS", anywhere},
	{"RMB", "CNY", anywhere}, {"CN¥", "CNY", anywhere}, {"JP¥", "JPY", anywhere}, {"R₣", "RWF", anywhere},

	{"zł", "PLN", anywhere}, {"zl", "PLN", anywhere}, {"zlotys", "PLN", suffix}, {"złotych", "PLN", suffix}, {"złote", "PLN", suffix}, {"złoty", "PLN", suffix},
	{"Kč", "CZK", anywhere}, {"Kčs", "CZK", anywhere}, {"korun", "crown", suffix}, {"koruny", "crown", suffix}, {"Ft", "HUF", anywhere}, {"forint", "HUF", suffix},
	{"kr", "kr", anywhere}, {"kr.", "kr", anywhere}, {"kronor", "SEK", suffix}, {"kroner", "kr", suffix}, {"krónur", "ISK", suffix}, {"SKr", "SEK", anywhere},
	{"DKr", "DKK", anywhere}, {"NKr", "NOK", anywhere}, {"ISKr", "ISK", anywhere}, {"lei", "lei", anywhere}, {"leu", "lei", suffix}, {"leva", "BGN", suffix},
	{"лв", "BGN", anywhere}, {"лв.", "BGN", anywhere}, {"лева", "BGN", suffix}, {"kn", "HRK", suffix}, {"kuna", "HRK", suffix}, {"KM", "KM", alone}, {"КМ", "KM", alone}, {"км", "KM", alone},
	{"din", "din", anywhere}, {"din.", "din", anywhere}, {"дин", "din", suffix}, {"дин.", "din", suffix}, {"динара", "din", suffix}, {"ден", "MKD", suffix}, {"ден.", "MKD", suffix}, {"ДЕН", "MKD", suffix},
	{"Lek", "ALL", anywhere}, {"lekë", "ALL", suffix}, {"Lt", "LTL", suffix}, {"Ls", "LVL", alone}, {"Sk", "SKK", suffix}, {"DM", "DM", anywhere},
	{"euro", "EUR", anywhere}, {"euros", "EUR", suffix}, {"Euro", "EUR", anywhere}, {"Euros", "EUR", suffix}, {"eur.", "EUR", anywhere}, {"евро", "EUR", suffix}, {"ευρώ", "EUR", suffix}, {"eiro", "EUR", suffix}, {"eurų", "EUR", suffix}, {"evro", "EUR", suffix}, {"evrov", "EUR", suffix}, {"yen", "JPY", suffix}, {"يورو", "EUR", suffix}, {"欧元", "EUR", suffix}, {"歐元", "EUR", suffix}, {"ユーロ", "EUR", suffix}, {"유로", "EUR", suffix},
	{"dollar", "$", suffix}, {"dollars", "$", suffix}, {"Dollar", "$", suffix}, {"dólares", "$", suffix}, {"долларов", "USD", suffix}, {"美元", "USD", suffix}, {"美金", "USD", suffix}, {"港元", "HKD", suffix}, {"港幣", "HKD", suffix}, {"日元", "JPY", suffix}, {"달러", "$", suffix}, {"ドル", "$", suffix}, {"دولار", "$", suffix},
	{"pounds", "pound", alone}, {"quid", "GBP", suffix}, {"Pfund", "pound", alone}, {"Franken", "CHF", suffix}, {"francs", "Fr", suffix}, {"franc", "Fr", suffix}, {"SFr", "CHF", anywhere}, {"SFr.", "CHF", anywhere}, {"sFr.", "CHF", anywhere}, {"sfr", "CHF", anywhere}, {"Fr.", "Fr", anywhere}, {"Fr", "Fr", anywhere}, {"fr.", "Fr", suffix}, {"F", "F", alone},
	{"pesos", "peso", suffix}, {"reais", "BRL", suffix}, {"soles", "PEN", suffix}, {"S/.", "PEN", prefix}, {"S/", "PEN", anywhere}, {"Bs", "Bs", anywhere}, {"Bs.", "Bs", anywhere}, {"Q", "GTQ", alone}, {"L", "L", alone}, {"Gs", "PYG", anywhere}, {"Gs.", "PYG", anywhere}, {"B/.", "PAB", prefix}, {"guaraníes", "PYG", suffix}, {"G", "HTG", alone}, {"Afl.", "AWG", anywhere},

	{"₽.", "RUB", suffix}, {"руб", "RUB", anywhere}, {"руб.", "RUB", anywhere}, {"рублей", "RUB", suffix}, {"рубля", "RUB", suffix}, {"рубль", "RUB", suffix}, {"р.", "RUB", suffix}, {"р", "RUB", suffix}, {"Р", "RUB", suffix}, {"Р.", "RUB", suffix}, {"rub.", "RUB", suffix}, {"pуб", "RUB", suffix}, {"P", "P", alone},
	{"грн", "UAH", anywhere}, {"грн.", "UAH", anywhere}, {"гривень", "UAH", suffix}, {"гривні", "UAH", suffix}, {"hrn", "UAH", suffix}, {"тг", "KZT", suffix}, {"тг.", "KZT", suffix}, {"тенге", "KZT", suffix}, {"₸.", "KZT", suffix}, {"сум", "UZS", suffix}, {"so'm", "so'm", suffix}, {"soʻm", "so'm", suffix}, {"Sʻ", "UZS", alone}, {"S'", "UZS", alone}, {"сом", "KGS", suffix}, {"с", "С", alone}, {"бел. руб.", "BYN", suffix}, {"BYN.", "BYN", suffix}, {"Br", "Br", alone}, {"манат", "manat", suffix}, {"manat", "manat", suffix}, {"ლარი", "GEL", suffix}, {"ლ", "GEL", suffix}, {"lari", "GEL", suffix}, {"դր", "AMD", suffix}, {"դր.", "AMD", suffix}, {"драм", "AMD", suffix}, {"сомони", "TJS", suffix},
	{"TL", "TRY", anywhere}, {"YTL", "TRY", anywhere}, {"lira", "TRY", suffix}, {"NIS", "ILS", anywhere}, {"nis", "ILS", suffix}, {"ש״ח", "ILS", anywhere}, {"ש\"ח", "ILS", anywhere}, {"ש'ח", "ILS", anywhere}, {"שקל", "ILS", suffix}, {"שקלים", "ILS", suffix},

	{"د.إ", "AED", anywhere}, {"د.ك", "KWD", anywhere}, {"د.ب", "BHD", anywhere}, {".د.ب", "BHD", anywhere}, {"د.ع", "IQD", anywhere}, {"ع.د", "IQD", anywhere}, {"د.ت", "TND", anywhere}, {"د.ج", "DZD", anywhere}, {"د.أ", "JOD", anywhere}, {"د.ا", "JOD", anywhere}, {"د.م.", "MAD", anywhere}, {"د.ل", "LYD", anywhere}, {"ل.د", "LYD", anywhere}, {"ر.س", "SAR", anywhere}, {"ر.ق", "QAR", anywhere}, {"ر.ع.", "OMR", anywhere}, {"ر.ع", "OMR", anywhere}, {"ر.ي", "YER", anywhere}, {"ج.م", "EGP", anywhere}, {"ج.س.", "SDG", anywhere}, {"ل.ل", "LBP", anywhere}, {"ل.س", "SYP", anywhere}, {"جنيه", "جنيه", anywhere}, {"ريال", "rial", anywhere}, {"ریال", "IRR", anywhere}, {"تومان", "toman", anywhere}, {"درهم", "درهم", anywhere}, {"دينار", "dinar", anywhere}, {"دج", "DZD", suffix}, {"ليرة", "", suffix}, {"نافكا", "ERN", suffix}, {"ናቕፋ", "ERN", suffix}, {"ብር", "ETB", anywhere},
	{"Dhs", "AED", anywhere}, {"Dhs.", "AED", anywhere}, {"Dh", "DH", anywhere}, {"DH", "DH", anywhere}, {"DHs", "DH", anywhere}, {"DT", "TND", anywhere}, {"DA", "DZD", anywhere}, {"SR", "SAR", anywhere}, {"QR", "QAR", prefix}, {"KD", "KWD", anywhere}, {"BD", "BHD", anywhere}, {"JD", "JOD", anywhere}, {"LD", "LYD", alone}, {"RO", "OMR", alone},

	{"円", "JPY", suffix}, {"圓", "元", suffix}, {"元", "元", suffix}, {"块", "CNY", suffix}, {"人民币", "CNY", anywhere}, {"人民幣", "CNY", anywhere}, {"人民币元", "CNY", suffix}, {"台幣", "TWD", anywhere}, {"新台幣", "TWD", anywhere}, {"yuan", "CNY", suffix}, {"원", "KRW", suffix}, {"won", "KRW", alone}, {"บาท", "THB", anywhere}, {"baht", "THB", suffix}, {"Baht", "THB", suffix}, {"đ", "VND", anywhere}, {"Đ", "VND", suffix}, {"VNĐ", "VND", anywhere}, {"vnđ", "VND", anywhere}, {"đồng", "VND", suffix}, {"Rp", "IDR", anywhere}, {"Rp.", "IDR", anywhere}, {"RP", "IDR", prefix}, {"rupiah", "IDR", suffix}, {"RM", "MYR", anywhere}, {"Php", "PHP", anywhere}, {"₱.", "PHP", prefix}, {"piso", "PHP", suffix}, {"Rs", "Rs", anywhere}, {"Rs.", "Rs", anywhere}, {"RS", "Rs", prefix}, {"rs.", "Rs", anywhere}, {"rs", "Rs", prefix}, {"rupees", "Rs", suffix}, {"Rupees", "Rs", suffix}, {"रुपये", "Rs", suffix}, {"Tk", "BDT", anywhere}, {"Tk.", "BDT", anywhere}, {"টাকা", "BDT", suffix}, {"NRs", "NPR", anywhere}, {"NRs.", "NPR", anywhere}, {"PKRs", "PKR", anywhere}, {"SLRs", "LKR", anywhere}, {"Rf", "MVR", anywhere}, {"Rf.", "MVR", anywhere}, {"Nu.", "BTN", anywhere}, {"Ks", "MMK", anywhere}, {"K", "K", alone}, {"₭.", "LAK", suffix}, {"төгрөг", "MNT", suffix},

	{"R", "R", prefix}, {"E", "SZL", alone}, {"KSh", "KES", anywhere}, {"KSh.", "KES", anywhere}, {"Ksh", "KES", anywhere}, {"Ksh.", "KES", anywhere}, {"KES.", "KES", anywhere}, {"TSh", "TZS", anywhere}, {"Tsh", "TZS", anywhere}, {"TSh.", "TZS", anywhere}, {"USh", "UGX", anywhere}, {"Ush", "UGX", anywhere}, {"UShs", "UGX", anywhere}, {"Sh", "Sh", prefix}, {"Shs", "Sh", anywhere}, {"Sh.So.", "SOS", anywhere}, {"FCFA", "CFA", anywhere}, {"F CFA", "CFA", anywhere}, {"F.CFA", "CFA", anywhere}, {"Fcfa", "CFA", anywhere}, {"CFA", "CFA", anywhere}, {"CFAF", "CFA", anywhere}, {"CFPF", "XPF", anywhere}, {"FBu", "BIF", anywhere}, {"Fbu", "BIF", anywhere}, {"FG", "GNF", anywhere}, {"GFr", "GNF", anywhere}, {"FRw", "RWF", anywhere}, {"Frw", "RWF", anywhere}, {"RF", "RWF", alone}, {"Fdj", "DJF", anywhere}, {"FC", "CDF", alone}, {"CF", "KMF", alone}, {"KMF.", "KMF", suffix}, {"Kz", "AOA", anywhere}, {"kwz", "AOA", anywhere}, {"MT", "MZN", alone}, {"MTn", "MZN", anywhere}, {"Mt", "MZN", alone}, {"Ar", "MGA", alone}, {"ZK", "ZMW", anywhere}, {"MK", "MWK", alone}, {"Db", "STN", alone}, {"UM", "MRU", alone}, {"Le", "SLE", alone}, {"Nfk", "ERN", anywhere}, {"Vt", "VUV", alone}, {"VT", "VUV", alone}, {"Birr", "ETB", anywhere}, {"birr", "ETB", suffix}, {"naira", "NGN", suffix}, {"SPL", "", alone}, {"N", "NGN", alone}, {"ZW$", "ZWL", anywhere},

	{"¢", "¢", cents}, {"￠", "¢", cents}, {"p", "GBP", cents}, {"Cent", "Cent", cents}, {"cents", "Cent", cents}, {"ct", "Cent", cents}, {"Ct.", "Cent", cents}, {"GBp", "GBP", cents}, {"GBX", "GBP", cents},
}

// former are codes that are no longer in use but still on pages, with their digits.
var former = map[string]int{
	"BGN": 2, "HRK": 2, "DEM": 2, "FRF": 2, "ITL": 0, "ESP": 0, "PTE": 0, "ATS": 2, "BEF": 0, "LUF": 0, "NLG": 2, "FIM": 2, "GRD": 0, "IEP": 2,
	"LTL": 2, "LVL": 2, "EEK": 2, "SKK": 2, "SIT": 2, "MTL": 2, "CYP": 2, "CUC": 2, "ANG": 2, "SLL": 2, "ZWL": 2, "MRO": 2, "STD": 2,
	"VEF": 2, "BYR": 0, "TRL": 0, "ROL": 2, "RUR": 2, "ZMK": 2, "GHC": 2, "AZM": 2, "MZM": 2, "TMM": 2,
}

// wordCodes are codes that are also words: in running text they need more proof.
var wordCodes = map[string]bool{
	"ALL": true, "TRY": true, "TOP": true, "CUP": true, "MOP": true, "SOS": true, "PEN": true, "LAK": true, "BAM": true, "GEL": true,
	"MAD": true, "RON": true, "ANG": true, "ERN": true, "COP": true, "CAD": true, "NAD": true, "ESP": true, "SIT": true, "XAD": true, "COU": true,
	"STD": true, "BOB": true, "BEF": true, "ATS": true, "SHP": true, "MUR": true, "KID": true, "SOL": true, "CHE": true, "LUF": true, "BAN": true, "BIF": true,
}
