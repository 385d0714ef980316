package structured

import "strings"

// schemaOrg is the one spelling of schema.org's vocabulary that we use inside.
const schemaOrg = "http://schema.org/"

// short takes schema.org off a name, however that was spelled; other names stay
// what they are.
func short(name string) string {
	rest, ok := afterSchemaOrg(name)
	if !ok {
		return name
	}
	rest = strings.TrimLeft(rest, "/#")
	if rest == "" || strings.ContainsAny(rest, " ?") {
		return name
	}
	if i := strings.LastIndexByte(rest, '/'); i >= 0 && i < len(rest)-1 {
		rest = rest[i+1:] // http://schema.org/Product/Offer was never a name; the last part is meant
	}
	return strings.TrimRight(rest, "/")
}

// isSchemaOrg says whether an address is the vocabulary itself: the remote
// context of nearly every page.
func isSchemaOrg(address string) bool {
	rest, ok := afterSchemaOrg(strings.TrimSpace(address))
	if !ok {
		return false
	}
	rest, _, _ = strings.Cut(rest, "#")
	switch strings.Trim(rest, "/") {
	case "", "docs/jsonldcontext.json", "docs/jsonldcontext.jsonld", "version/latest", "docs/jsonldcontext.json.txt":
		return true
	}
	return false
}

// afterSchemaOrg is what follows the host schema.org.
func afterSchemaOrg(name string) (string, bool) {
	if len(name) < len("schema.org") {
		return "", false
	}
	rest := name
	for _, prefix := range []string{"https:", "http:"} {
		if len(rest) > len(prefix) && strings.EqualFold(rest[:len(prefix)], prefix) {
			rest = rest[len(prefix):]
			break
		}
	}
	rest = strings.TrimLeft(rest, "/")
	for _, host := range []string{"www.schema.org", "schema.org"} {
		if len(rest) >= len(host) && strings.EqualFold(rest[:len(host)], host) {
			rest = rest[len(host):]
			if rest == "" || rest[0] == '/' || rest[0] == '#' {
				return rest, true
			}
			return "", false
		}
	}
	return "", false
}

// addressed holds the properties of schema.org that are addresses and nothing
// else, as its context declares. Those that also take words are not among them.
var addressed = func() map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq(`acquireLicensePage archivedAt codeRepository contentUrl correctionsPolicy
		discussionUrl diversityPolicy diversityStaffingReport downloadUrl embedUrl ethicsPolicy
		feesAndCommissionsSpecification hasMap image installUrl isBasedOnUrl labelDetails layoutImage logo
		mainEntityOfPage map maps masthead missionCoveragePrioritiesPolicy noBylinesPolicy ownershipFundingInfo
		paymentUrl photo publishingPrinciples relatedLink replyToUrl sameAs screenshot serviceUrl significantLink
		significantLinks targetUrl thumbnailUrl trackingUrl unnamedSourcesPolicy url usageInfo
		verificationFactCheckingPolicy`) {
		all[name] = true
	}
	return all
}()
