#ifndef TROMMEL_SYNTH_WORDS_H_
#define TROMMEL_SYNTH_WORDS_H_

// Word lists of the synthetic web. UTF-8; every character exists in
// windows-1252 too, so a site in either charset can print every word.

#include <cstddef>
#include <string_view>

#include "core/base/random.h"

namespace trommel::synth {

// One word of a list, uniformly.
template <size_t N>
std::string_view Pick(const std::string_view (&words)[N], Random* random) {
  return words[random->Below(N)];
}

inline constexpr std::string_view kAdjectives[] = {
    "quiet",    "silent",   "broken",    "golden",    "hidden",   "distant",
    "bright",   "crooked",  "gentle",    "restless",  "early",    "final",
    "hollow",   "crimson",  "northern",  "lonely",    "patient",  "sudden",
    "simple",   "steady",   "careful",   "ordinary",  "generous", "modest",
    "sharp",    "warm",     "cold",      "familiar",  "strange",  "pleasant",
    "solid",    "heavy",    "light",     "narrow",    "wide",     "honest",
    "clever",   "polished", "rough",     "sturdy",    "compact",  "friendly",
    "reliable", "fresh",    "classic",   "modern",    "local",    "busy",
    "calm",     "curious",  "faded",     "forgotten", "small",    "remarkable",
    "uneven",   "lively",   "practical", "rich",      "spare",    "wild",
};

inline constexpr std::string_view kNouns[] = {
    "harbour",  "river",    "garden",   "winter",     "island",  "mountain",
    "letter",   "road",     "station",  "lighthouse", "shadow",  "window",
    "bridge",   "orchard",  "kingdom",  "journey",    "promise", "secret",
    "stranger", "daughter", "captain",  "painter",    "village", "city",
    "night",    "morning",  "storm",    "season",     "summer",  "machine",
    "engine",   "map",      "market",   "door",       "mirror",  "field",
    "forest",   "valley",   "tower",    "ship",       "song",    "story",
    "table",    "visit",    "weekend",  "team",       "service", "design",
    "detail",   "choice",   "moment",   "family",     "friend",  "budget",
    "schedule", "screen",   "surface",  "handle",     "corner",  "neighbour",
    "crowd",    "evening",  "question", "answer",     "reason",  "result",
};

inline constexpr std::string_view kVerbs[] = {
    "follows",  "finds",    "shows",    "keeps",   "brings",   "offers",
    "leaves",   "carries",  "reaches",  "meets",   "takes",    "holds",
    "turns",    "crosses",  "improves", "builds",  "covers",   "delivers",
    "explains", "deserves", "needs",    "recalls", "suggests", "supports",
    "answers",  "replaces", "misses",   "changes", "handles",  "surprises",
};

inline constexpr std::string_view kAdverbs[] = {
    "slowly",  "quickly",    "quietly",  "rarely",    "often",    "usually",
    "finally", "gradually",  "clearly",  "barely",    "gladly",   "simply",
    "almost",  "completely", "honestly", "carefully", "promptly", "mostly",
};

inline constexpr std::string_view kFirstNames[] = {
    "Anna",   "Brian",   "Carla",   "David",    "Elena",  "Frank",  "Grace",
    "Henry",  "Irene",   "Jack",    "Karen",    "Louis",  "Maria",  "Nathan",
    "Olivia", "Paul",    "Rachel",  "Samuel",   "Teresa", "Victor", "Walter",
    "René",   "José",    "Zoë",     "François", "Björn",  "Chloé",  "Andrés",
    "Jürgen", "Siobhan", "Marcus",  "Priya",    "Kenji",  "Leila",  "Omar",
    "Ingrid", "Dmitri",  "Aisha",   "Hugo",     "Martha", "Dennis", "Colin",
    "Judith", "Ray",     "Lucille", "Abel",     "Vera",   "Ned",    "Iris",
};

inline constexpr std::string_view kLastNames[] = {
    "Adler",    "Bennett",  "Calloway",  "Dawson",   "Ellison",  "Fairbanks",
    "Garrett",  "Holloway", "Ingram",    "Jennings", "Kessler",  "Lindqvist",
    "Marlowe",  "Norwood",  "O'Brien",   "Prescott", "Quimby",   "Rutledge",
    "Sandoval", "Thorne",   "Underhill", "Vasquez",  "Whitaker", "Yates",
    "Zimmer",   "Muñoz",    "Bélanger",  "Schröder", "Nuñez",    "D'Angelo",
    "Okafor",   "Tanaka",   "Petrov",    "Haddad",   "Castillo", "Moreau",
    "Fitzroy",  "Grimsby",  "Hartwell",  "Ivanova",  "Larkin",   "McAllister",
    "Novak",    "Ortega",   "Pemberton", "Rossi",    "Sinclair", "Van Houten",
};

struct City {
  std::string_view name;
  std::string_view state;
  int area_code;
  int zip;
};

inline constexpr City kCities[] = {
    {"Portland", "OR", 503, 97201},   {"Springfield", "IL", 217, 62701},
    {"Madison", "WI", 608, 53703},    {"Boulder", "CO", 303, 80301},
    {"Savannah", "GA", 912, 31401},   {"Burlington", "VT", 802, 5401},
    {"Santa Rosa", "CA", 707, 95401}, {"Tucson", "AZ", 520, 85701},
    {"Duluth", "MN", 218, 55802},     {"Asheville", "NC", 828, 28801},
    {"Albany", "NY", 518, 12207},     {"Galveston", "TX", 409, 77550},
    {"Spokane", "WA", 509, 99201},    {"Lincoln", "NE", 402, 68508},
    {"Mobile", "AL", 251, 36602},     {"Providence", "RI", 401, 2903},
    {"Dayton", "OH", 937, 45402},     {"Lansing", "MI", 517, 48933},
    {"Cañon City", "CO", 719, 81212}, {"Coeur d'Alene", "ID", 208, 83814},
};

inline constexpr std::string_view kStreets[] = {
    "Main Street",    "Elm Street",      "Oak Avenue",    "Maple Drive",
    "Cedar Lane",     "Washington Blvd", "Lake Shore Dr", "Second Avenue",
    "Mill Road",      "Church Street",   "Harbor Way",    "Prospect Place",
    "St. Mary's Row", "Union Square",    "Orchard Road",  "Canal Street",
};

inline constexpr std::string_view kGenres[] = {
    "Drama",   "Comedy",    "Thriller",  "Romance", "Science Fiction",
    "Mystery", "Western",   "Animation", "Crime",   "Documentary",
    "Family",  "Fantasy",   "Horror",    "War",     "Action & Adventure",
    "Musical", "Biography",
};

inline constexpr std::string_view kRatings[] = {"G", "PG", "PG-13", "R",
                                                "NC-17"};

inline constexpr std::string_view kPublishers[] = {
    "Hart & Wren",       "Blue Lantern Press", "Orchard House Books",
    "Meridian Classics", "Kestrel & Sons",     "Northgate University Press",
    "Paper Boat",        "Calder Éditions",    "Stonebridge Publishing Group",
    "Alder Lane",        "Quill & Compass",
};

inline constexpr std::string_view kCameraMakers[] = {
    "Lumax",  "Orion",          "Veritar", "Kestron", "Halden",
    "Fotona", "Nordic Optical", "Prisma",  "Sonora",  "Belmont",
};

inline constexpr std::string_view kCameraLines[] = {
    "Compact",   "SureShot",  "Explorer", "ProView",  "EasyPix",
    "Cybersnap", "Finepoint", "D-Lite",   "TrueZoom", "AquaCam",
};

inline constexpr std::string_view kCarMakers[] = {
    "Ashford", "Bramwell", "Corvane", "Delmar", "Everest Motors",
    "Fenwick", "Granta",   "Hollis",  "Ibex",   "Juno",
};

inline constexpr std::string_view kCarModels[] = {
    "Meadow", "Summit",    "Falcon",  "Strada", "Pioneer",
    "Aurora", "Ranger XL", "Coupé S", "Estate", "Voyageur",
};

inline constexpr std::string_view kCarTrims[] = {
    "LX", "EX", "Sport", "Touring", "Limited", "Base", "GT", "4WD",
};

inline constexpr std::string_view kCuisines[] = {
    "Italian",  "American", "Thai",          "Mexican", "Café",
    "Seafood",  "French",   "Indian",        "Sushi",   "Vegetarian",
    "Barbecue", "Greek",    "Pizza & Pasta",
};

inline constexpr std::string_view kRestaurantKinds[] = {
    "Grill", "Kitchen", "Bistro", "Café",  "Tavern",
    "House", "Cantina", "Diner",  "& Co.", "Trattoria",
};

inline constexpr std::string_view kJobLevels[] = {
    "Senior", "Junior",    "Lead",      "Staff",    "Assistant",
    "Chief",  "Associate", "Part-time", "Regional",
};

inline constexpr std::string_view kJobFields[] = {
    "Software",      "Accounts", "Marketing", "Quality",
    "Field Service", "Network",  "Sales",     "Research & Development",
    "Payroll",       "Database", "Nursing",   "Warehouse",
};

inline constexpr std::string_view kJobRoles[] = {
    "Engineer",  "Manager",    "Analyst",       "Coordinator", "Technician",
    "Developer", "Specialist", "Administrator", "Supervisor",
};

inline constexpr std::string_view kCompanyKinds[] = {
    "Inc.",     "LLC",         "Group",    "& Sons", "Systems",
    "Partners", "Corporation", "Holdings", "Labs",   "Associates",
};

inline constexpr std::string_view kTeams[] = {
    "Portland Pines",  "Tucson Coyotes", "Albany Knights",    "Mobile Tides",
    "Madison Badgers", "Duluth Bears",   "Lincoln Plainsmen", "Savannah Herons",
    "Dayton Flyers",   "Spokane Rapids",
};

inline constexpr std::string_view kSchoolTypes[] = {
    "Public",         "Private",        "Private not-for-profit",
    "4-year, Public", "2-year, Public", "4-year, Private for-profit",
};

inline constexpr std::string_view kMonths[] = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December",
};

// Titles of sections and links that any site may have.
inline constexpr std::string_view kServiceLinks[] = {
    "About Us",        "Contact",        "Careers",       "Press Room",
    "Advertise",       "Affiliates",     "Site Map",      "Privacy Policy",
    "Terms of Use",    "Help & FAQ",     "Gift Cards",    "Store Locator",
    "Order Status",    "Returns",        "Newsletter",    "Mobile",
    "RSS Feeds",       "Accessibility",  "Investor Info", "Developers",
    "Community Forum", "Editors' Picks", "Wish List",     "Track a Package",
};

inline constexpr std::string_view kHeadlines[] = {
    "What our readers are saying",
    "Five things to know this week",
    "A closer look at the numbers",
    "Behind the scenes",
    "The editors' notebook",
    "How we choose",
    "New this month",
    "Ask the experts",
    "Before you decide",
    "From the archive",
    "A beginner's guide",
    "Questions & answers",
};

inline constexpr std::string_view kNetworks[] = {
    "facebook", "twitter", "digg", "reddit", "delicious", "email", "print",
};

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_WORDS_H_
