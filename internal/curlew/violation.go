package curlew

// Violation is a broken invariant that a check of the database found.
type Violation struct {
	Invariant string `json:"invariant"` // "I5"
	Org       OrgID  `json:"org"`
	Ref       string `json:"ref"` // what it is about: a job's number, a run's id
	Sentence  string `json:"sentence"`
}
