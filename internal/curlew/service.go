package curlew

import "time"

// Service is something outside that the configuration names and Curlew needs.
type Service string

// The services that are looked after while a process runs.
const (
	ServiceMail    Service = "mail"
	ServiceArchive Service = "archive"
	ServiceSignIn  Service = "sign-in provider"
)

// ServiceTrouble is a service that does not work.
type ServiceTrouble struct {
	Service  Service
	Since    time.Time
	LastAt   time.Time
	Failures int64 // tries in a row
}
