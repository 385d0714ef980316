package language

// Running lets the corpus test judge the same sample that OfPage judges.
var Running = running
