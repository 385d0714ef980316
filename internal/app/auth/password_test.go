package auth

import (
	"crypto/rand"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestPasswordsThatAreRefused(t *testing.T) {
	for _, bad := range []string{"", "short", "123456789", "Password123", "QWERTYUIOP", "aaaaaaaaaaaaaaa", "ada.lovelace", "Ada Lovelace1!", "adalovelace2026",
		"ada.lovelace@example.org", strings.Repeat("x", 1025), "not\xfftext at all", "１２３４５６７８９０"} {
		t.Run(bad, func(t *testing.T) {
			if err := CheckPassword(bad, "ada.lovelace@example.org", "Ada Lovelace"); err == nil {
				t.Errorf("%q is taken", bad)
			}
		})
	}
	for _, fine := range []string{good, "ten chars!", "пароль для цапли", "ada.lovelace likes herons", strings.Repeat("ab", 500)} {
		t.Run(fine, func(t *testing.T) {
			if err := CheckPassword(fine, "ada.lovelace@example.org", "Ada Lovelace", ""); err != nil {
				t.Errorf("%q: %v", fine, err)
			}
		})
	}
}

func TestHashesAreSaltedAndCarryTheirCost(t *testing.T) {
	h := newHasher(DefaultArgon(), rand.Reader)
	first, err := h.hash(t.Context(), good)
	must(t, err)
	second, err := h.hash(t.Context(), good)
	must(t, err)
	if first == second || !strings.HasPrefix(first, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("the hashes are %s and %s", first, second)
	}
	for password, want := range map[string]bool{good: true, good + " ": false, "": false, strings.ToUpper(good): false} {
		t.Run(password, func(t *testing.T) {
			if right, outdated, err := h.verify(t.Context(), password, first); err != nil || right != want || outdated {
				t.Errorf("%q: %v %v %v", password, right, outdated, err)
			}
		})
	}
	composed, err := h.hash(t.Context(), "Zürich am See")
	must(t, err)
	if right, _, err := h.verify(t.Context(), "Zu\u0308rich am See", composed); err != nil || !right {
		t.Errorf("another keyboard writes another password: %v", err)
	}
}

func TestDamagedHashesLetNobodyInAndCostLittle(t *testing.T) {
	h := newHasher(light, rand.Reader)
	fine, err := h.hash(t.Context(), good)
	must(t, err)
	for _, bad := range []string{"x", "$argon2id$v=19$m=4294967295,t=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA", strings.Replace(fine, "argon2id", "argon2i", 1),
		strings.Replace(fine, "t=1", "t=0", 1), strings.Replace(fine, "p=1", "p=0", 1), fine[:len(fine)-30], fine + "$", "$argon2id$v=19$m=64,t=1,p=1$$"} {
		t.Run(bad, func(t *testing.T) {
			if right, _, err := h.verify(t.Context(), good, bad); right || err == nil {
				t.Errorf("%s lets in (%v)", bad, err)
			}
		})
	}
}

func TestAPasswordIsHashedAnewWhenTheCostRises(t *testing.T) {
	h := build(t, nil)
	h.person("ada@example.org", curlew.RoleViewer)
	dearer := New(Options{Store: h.kept.Accounts(), Argon: Argon{KiB: 128, Passes: 2, Lanes: 1}})
	_, err := dearer.SignIn(t.Context(), "ada@example.org", good, Caller{Address: "192.0.2.1"})
	must(t, err)
	_, hash, err := h.kept.Accounts().UserByEmail(t.Context(), "ada@example.org")
	if err != nil || !strings.Contains(hash, "m=128,t=2") {
		t.Errorf("it is kept as %s (%v)", hash, err)
	}
	_, err = dearer.SignIn(t.Context(), "ada@example.org", good, Caller{Address: "192.0.2.1"})
	must(t, err)
}

func FuzzParseHash(f *testing.F) {
	f.Add("$argon2id$v=19$m=64,t=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA")
	f.Add("$argon2id$v=19$m=-1,t=,p=1$$")
	f.Fuzz(func(t *testing.T, text string) {
		a, salt, sum, ok := parseHash(text)
		if ok && (a.KiB > mostKiB || a.Passes > mostPasses || a.Lanes == 0 || len(salt) < 8 || len(sum) < 16 || len(sum) > 64) {
			t.Errorf("%q costs %+v", text, a)
		}
	})
}

func FuzzParseKey(f *testing.F) {
	f.Add(spellKey("key_000000000000000000000000", strings.Repeat("a", 52)))
	f.Fuzz(func(t *testing.T, text string) {
		if id, secret, ok := parseKey(text); ok && spellKey(id, secret) != text {
			t.Errorf("%q is read as %s and %s", text, id, secret)
		}
	})
}

func FuzzLocalPath(f *testing.F) {
	for _, s := range []string{"/", "//x", "/\\x", "/a?b=//c", "http:/x", "/%2f%2fx"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, next string) {
		got := localPath(next)
		if !strings.HasPrefix(got, "/") || strings.HasPrefix(got, "//") || strings.ContainsAny(got, "\\\r\n\t") {
			t.Errorf("%q leads to %q", next, got)
		}
	})
}
