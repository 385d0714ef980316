package events

import "strings"

// documentWords name what belongs to an entry without naming it.
var documentWords = set(`agenda agendas minutes minute pdf doc docx video audio recording recordings watch listen register registration
 rsvp tickets ticket buy more info information details detail read view download link links here map directions ical google outlook
 calendar zoom webex notice notices packet transcript livestream stream live summary presentation presentations handout handouts
 materials document documents results journal journals transcript transcripts comment comments slides report reports book cancelled canceled cancel rescheduled postponed changed approved draft final sold out free tba tbd closed new updated
 add to date time location where when venue the a an of and or for in at on is no not yet available click see learn
 fino al dal until through bis vom jusqu au du hasta el do od am pm est edt cst cdt mst mdt pst pdt from until th st nd rd am p m noon via virtual online only kb mb word file attachment
 protokoll tagesordnung karten ausverkauft abgesagt uhr mehr infos bilety więcej billets réserver plus entradas más doors show all ages
 monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun`)

// genericWords make no title by themselves.
var genericWords = set(`meeting meetings schedule schedules scheduled calendar date dates upcoming past previous current future event events agenda
 agendas minutes archive archives archived notices notice list public and of the for a to in next all annual regular information materials
 documents our about home page welcome menu programme program what s on whats tour shows date time location year fiscal fy
 termine veranstaltungen kalender sitzungen programm événements agenda eventos calendario wydarzenia kalendarz terminy resources
 related links link contact us visit login log search sign up connect follow subscribe quick useful decisions records files downloads attachments more
 january february march april may june july august september october november december spring summer fall autumn winter
 members member appointed staff contact share view by month note notes please click here topic place day days times`)

// kindWords say what sort of entry or paper it is, which names none: "Regular
// Meeting", "Resolution(s)", "File size: 1 MB".
var kindWords = set(`regular regularly scheduled meeting meetings resolution resolutions s book size recorded call next quorum tentative adopted signed page pages n change changes`)

func set(text string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(text) {
		all[w] = true
	}
	return all
}
