package feeds

import (
	"strings"
	"testing"
)

func TestATableOfJSONHasNoColumnsForMachines(t *testing.T) {
	entry := func(name string) any {
		return map[string]any{"name": name, "id": "7", "checksum": "9f", "pageViews": 12.0, "updatedAt": "2026-11-17", "price": 3.0}
	}
	page, ok := JSONTable([]any{entry("Anvil"), entry("Bell")})
	if !ok || !strings.Contains(string(page), "<th>id</th><th>name</th><th>price</th></tr>") {
		t.Errorf("%s", page)
	}
}
