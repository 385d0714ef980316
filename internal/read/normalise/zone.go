package normalise

import (
	"strings"
	"time"
	_ "time/tzdata" // the machine may have no zone files

	"github.com/zsefvlol/timezonemapper"
)

// zone tells where the times of a record are: by the record's own field, by what
// was set or the page says, by its place on Earth, or by a country with one zone.
func (w *work) zone() (*time.Location, string) {
	if zone, name := loadZone(line(scalarText(w.in["timezone"]), 64)); zone != nil {
		return zone, name
	}
	if w.Zone != nil {
		if _, name := loadZone(w.Zone.String()); name != "" {
			return w.Zone, name
		}
		return w.Zone, ""
	}
	lat, hasLat := w.out["latitude"].(float64)
	long, hasLong := w.out["longitude"].(float64)
	if hasLat && hasLong {
		if zone, name := loadZone(timezonemapper.LatLngToTimezoneString(lat, long)); zone != nil {
			return zone, name
		}
	}
	code, _ := w.out["country"].(string)
	if len(code) != 2 {
		code = strings.ToUpper(w.Country)
	}
	return loadZone(singleZone[code])
}

// loadZone finds a zone by its name in the IANA database.
func loadZone(name string) (*time.Location, string) {
	if !strings.Contains(name, "/") && name != "UTC" || strings.Contains(name, "..") {
		return nil, ""
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, ""
	}
	return zone, name
}

// singleZone are the countries that have one zone, overseas places aside.
var singleZone = map[string]string{
	"AD": "Europe/Andorra", "AE": "Asia/Dubai", "AF": "Asia/Kabul", "AL": "Europe/Tirane", "AM": "Asia/Yerevan", "AO": "Africa/Luanda", "AT": "Europe/Vienna", "AZ": "Asia/Baku",
	"BA": "Europe/Sarajevo", "BB": "America/Barbados", "BD": "Asia/Dhaka", "BE": "Europe/Brussels", "BF": "Africa/Ouagadougou", "BG": "Europe/Sofia", "BH": "Asia/Bahrain", "BI": "Africa/Bujumbura",
	"BJ": "Africa/Porto-Novo", "BN": "Asia/Brunei", "BO": "America/La_Paz", "BS": "America/Nassau", "BT": "Asia/Thimphu", "BW": "Africa/Gaborone", "BY": "Europe/Minsk", "BZ": "America/Belize",
	"CH": "Europe/Zurich", "CI": "Africa/Abidjan", "CM": "Africa/Douala", "CN": "Asia/Shanghai", "CO": "America/Bogota", "CR": "America/Costa_Rica", "CU": "America/Havana", "CV": "Atlantic/Cape_Verde",
	"CY": "Asia/Nicosia", "CZ": "Europe/Prague", "DE": "Europe/Berlin", "DJ": "Africa/Djibouti", "DK": "Europe/Copenhagen", "DO": "America/Santo_Domingo", "DZ": "Africa/Algiers", "EE": "Europe/Tallinn",
	"EG": "Africa/Cairo", "ER": "Africa/Asmara", "ET": "Africa/Addis_Ababa", "FI": "Europe/Helsinki", "FJ": "Pacific/Fiji", "FO": "Atlantic/Faroe", "FR": "Europe/Paris", "GA": "Africa/Libreville",
	"GB": "Europe/London", "GE": "Asia/Tbilisi", "GH": "Africa/Accra", "GI": "Europe/Gibraltar", "GM": "Africa/Banjul", "GN": "Africa/Conakry", "GR": "Europe/Athens", "GT": "America/Guatemala",
	"GY": "America/Guyana", "HK": "Asia/Hong_Kong", "HN": "America/Tegucigalpa", "HR": "Europe/Zagreb", "HT": "America/Port-au-Prince", "HU": "Europe/Budapest", "IE": "Europe/Dublin", "IL": "Asia/Jerusalem",
	"IN": "Asia/Kolkata", "IQ": "Asia/Baghdad", "IR": "Asia/Tehran", "IS": "Atlantic/Reykjavik", "IT": "Europe/Rome", "JM": "America/Jamaica", "JO": "Asia/Amman", "JP": "Asia/Tokyo",
	"KE": "Africa/Nairobi", "KG": "Asia/Bishkek", "KH": "Asia/Phnom_Penh", "KP": "Asia/Pyongyang", "KR": "Asia/Seoul", "KW": "Asia/Kuwait", "LA": "Asia/Vientiane", "LB": "Asia/Beirut",
	"LI": "Europe/Vaduz", "LK": "Asia/Colombo", "LR": "Africa/Monrovia", "LS": "Africa/Maseru", "LT": "Europe/Vilnius", "LU": "Europe/Luxembourg", "LV": "Europe/Riga", "LY": "Africa/Tripoli",
	"MA": "Africa/Casablanca", "MC": "Europe/Monaco", "MD": "Europe/Chisinau", "ME": "Europe/Podgorica", "MG": "Indian/Antananarivo", "MK": "Europe/Skopje", "ML": "Africa/Bamako", "MM": "Asia/Yangon",
	"MO": "Asia/Macau", "MR": "Africa/Nouakchott", "MT": "Europe/Malta", "MU": "Indian/Mauritius", "MV": "Indian/Maldives", "MW": "Africa/Blantyre", "MY": "Asia/Kuala_Lumpur", "MZ": "Africa/Maputo",
	"NA": "Africa/Windhoek", "NE": "Africa/Niamey", "NG": "Africa/Lagos", "NI": "America/Managua", "NL": "Europe/Amsterdam", "NO": "Europe/Oslo", "NP": "Asia/Kathmandu", "OM": "Asia/Muscat",
	"PA": "America/Panama", "PE": "America/Lima", "PH": "Asia/Manila", "PK": "Asia/Karachi", "PL": "Europe/Warsaw", "PR": "America/Puerto_Rico", "PY": "America/Asuncion", "QA": "Asia/Qatar",
	"RO": "Europe/Bucharest", "RS": "Europe/Belgrade", "RW": "Africa/Kigali", "SA": "Asia/Riyadh", "SD": "Africa/Khartoum", "SE": "Europe/Stockholm", "SG": "Asia/Singapore", "SI": "Europe/Ljubljana",
	"SK": "Europe/Bratislava", "SL": "Africa/Freetown", "SM": "Europe/San_Marino", "SN": "Africa/Dakar", "SO": "Africa/Mogadishu", "SR": "America/Paramaribo", "SV": "America/El_Salvador", "SY": "Asia/Damascus",
	"TG": "Africa/Lome", "TH": "Asia/Bangkok", "TJ": "Asia/Dushanbe", "TM": "Asia/Ashgabat", "TN": "Africa/Tunis", "TR": "Europe/Istanbul", "TT": "America/Port_of_Spain", "TW": "Asia/Taipei",
	"TZ": "Africa/Dar_es_Salaam", "UA": "Europe/Kyiv", "UG": "Africa/Kampala", "UY": "America/Montevideo", "UZ": "Asia/Tashkent", "VA": "Europe/Vatican", "VE": "America/Caracas", "VN": "Asia/Ho_Chi_Minh",
	"XK": "Europe/Belgrade", "YE": "Asia/Aden", "ZA": "Africa/Johannesburg", "ZM": "Africa/Lusaka", "ZW": "Africa/Harare",
}
