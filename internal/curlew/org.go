package curlew

import "time"

// Org is a tenant. Every row belongs to one.
type Org struct {
	ID        OrgID     `json:"id"`
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"created_at"`
}

// SystemOrg owns the upkeep of an installation: periodic jobs that serve all.
const SystemOrg OrgID = "system"
