package cli

import (
	"fmt"
	"reflect"
	"strconv"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/config"
)

// settingFlags are one flag per setting, made from the table of settings, so
// that a new setting needs no second place.
type settingFlags struct {
	settings []config.SettingInfo
	values   reflect.Value // pointer to a struct of *string
}

// shownFlags are the settings that --help lists; doctor lists all.
var shownFlags = map[string]bool{"data": true, "database": true, "listen": true, "contact": true, "log-level": true}

func newSettingFlags() settingFlags {
	settings := config.Default().Settings()
	fields := make([]reflect.StructField, len(settings))
	for i, s := range settings {
		tag := fmt.Sprintf(`name:%s help:%s placeholder:%s`, strconv.Quote(s.Flag), strconv.Quote(s.Doc), strconv.Quote("…"))
		if s.Default != "" {
			tag = fmt.Sprintf(`name:%s help:%s placeholder:%s`, strconv.Quote(s.Flag), strconv.Quote(s.Doc), strconv.Quote(s.Default))
		}
		if !shownFlags[s.Flag] {
			tag += ` hidden:""`
		}
		fields[i] = reflect.StructField{Name: "Setting" + strconv.Itoa(i), Type: reflect.TypeFor[*string](), Tag: reflect.StructTag(tag)}
	}
	return settingFlags{settings, reflect.New(reflect.StructOf(fields))}
}

// target is what the parser fills.
func (f settingFlags) target() any { return f.values.Interface() }

// given are the flags that were used.
func (f settingFlags) given() map[string]string {
	given := map[string]string{}
	for i, s := range f.settings {
		if value := f.values.Elem().Field(i); !value.IsNil() {
			given[s.Flag] = value.Elem().String()
		}
	}
	return given
}

// load reads the configuration of this command line.
func (a *program) load() (config.Config, error) {
	cfg, err := config.Load(config.Inputs{File: a.Config, Environ: a.Environ, Flags: a.settings})
	if err != nil {
		return cfg, exitError{err, exitUsage}
	}
	return cfg, nil
}

// org is the org that the command works in.
func (a *program) org() (curlew.OrgID, error) {
	org, err := curlew.ParseOrgID(a.Org)
	if err != nil {
		return "", exitError{err, exitUsage}
	}
	return org, nil
}
