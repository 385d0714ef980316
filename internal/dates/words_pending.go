package dates

var wordsNordicBaltic, wordsEuropean, wordsSemitic, wordsIndic, wordsEastAsian, wordsTurkic []vocabulary
