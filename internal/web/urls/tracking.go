package urls

import (
	"strings"

	"github.com/curlew-data/curlew/internal/text"
)

// sessions are names that only ever hold a session; likelySessions are also
// used for other things, so there the value must look like an id.
var (
	sessions       = text.Set("phpsessid jsessionid cftoken zenid oscsid")
	likelySessions = text.Set("sid sessid sessionid session_id session s cfid")
)

func isSession(name, value string) bool {
	name = strings.ToLower(name)
	return sessions[name] || strings.HasPrefix(name, "aspsessionid") || likelySessions[name] && looksLikeID(value)
}

// looksLikeID tells a random token from a word, a number or a slug: at least 16
// letters and digits, mixed, as the common frameworks make them.
func looksLikeID(value string) bool {
	letters, digits := 0, 0
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case '0' <= c && c <= '9':
			digits++
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			letters++
		default:
			return false
		}
	}
	return letters+digits >= 16 && letters > 0 && digits >= 4
}
