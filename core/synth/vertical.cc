#include "core/synth/vertical.h"

namespace trommel::synth {
namespace {

using proto::Attribute;

constexpr AttributeInfo kMovie[] = {
    {"title",
     Attribute::TEXT,
     false,
     true,
     AttributePlacement::kHeadline,
     {"Title", "Name", "Movie", "Film"}},
    {"director",
     Attribute::TEXT,
     true,
     true,
     AttributePlacement::kFacts,
     {"Director", "Directed by", "Director(s)", "Filmmaker"}},
    {"genre",
     Attribute::TEXT,
     true,
     true,
     AttributePlacement::kFacts,
     {"Genre", "Category", "Genre(s)", "Filed under"}},
    {"mpaa_rating",
     Attribute::TEXT,
     false,
     true,
     AttributePlacement::kFacts,
     {"Rating", "MPAA Rating", "Rated", "Certificate"}},
    {"release_date",
     Attribute::DATE,
     false,
     true,
     AttributePlacement::kFacts,
     {"Release Date", "In Theaters", "Opens", "Released"}},
    {"runtime",
     Attribute::TEXT,
     false,
     true,
     AttributePlacement::kFacts,
     {"Runtime", "Running Time", "Length", "Duration"}},
};
constexpr std::string_view kMovieCategories[] = {
    "Now Playing",   "Coming Soon", "Box Office", "Trailers",
    "DVD & Blu-ray", "Showtimes",   "Awards",     "Celebrities",
    "Festivals",     "Film Noir",   "Classics",   "Family Films"};
constexpr std::string_view kMovieDecoys[] = {
    "Language", "Studio", "Country",     "Writer",  "Aspect Ratio",
    "Budget",   "Sound",  "DVD Release", "Music by"};

constexpr AttributeInfo kBook[] = {
    {"title",
     Attribute::TEXT,
     false,
     true,
     AttributePlacement::kHeadline,
     {"Title", "Book", "Name", "Work"}},
    {"author",
     Attribute::TEXT,
     true,
     true,
     AttributePlacement::kByline,
     {"Author", "by", "Written by", "Author(s)"}},
    {"isbn_13",
     Attribute::ISBN,
     false,
     true,
     AttributePlacement::kFacts,
     {"ISBN-13", "ISBN", "EAN", "ISBN 13"}},
    {"publisher",
     Attribute::TEXT,
     false,
     true,
     AttributePlacement::kFacts,
     {"Publisher", "Published by", "Imprint", "Press"}},
    {"publication_date",
     Attribute::DATE,
     false,
     true,
     AttributePlacement::kFacts,
     {"Publication Date", "Published", "Pub. Date", "Date published"}},
};
constexpr std::string_view kBookCategories[] = {
    "Fiction",     "Biography",        "Cooking",     "History",
    "Children's",  "Science & Nature", "Travel",      "Poetry",
    "Bestsellers", "Used Books",       "Audio Books", "Textbooks"};
constexpr std::string_view kBookDecoys[] = {
    "Pages",  "Binding",     "Language",  "Edition",   "Dimensions",
    "Weight", "Item Number", "Age Range", "Sales Rank"};

constexpr AttributeInfo kCamera[] = {
    {"model",
     Attribute::TEXT,
     false,
     true,
     AttributePlacement::kHeadline,
     {"Model", "Product", "Item", "Camera"}},
    {"manufacturer",
     Attribute::TEXT,
     false,
     true,
     AttributePlacement::kFacts,
     {"Manufacturer", "Brand", "Made by", "Maker"}},
    {"price",
     Attribute::PRICE,
     false,
     false,
     AttributePlacement::kOffer,
     {"Price", "Our Price", "Sale Price", "You pay"}},
};
constexpr std::string_view kCameraCategories[] = {"Digital Cameras",
                                                  "Lenses",
                                                  "Tripods",
                                                  "Memory Cards",
                                                  "Bags & Cases",
                                                  "Camcorders",
                                                  "Film",
                                                  "Batteries",
                                                  "Flashes",
                                                  "Used & Refurbished",
                                                  "Printers",
                                                  "Clearance"};
constexpr std::string_view kCameraDecoys[] = {
    "Resolution",  "Optical Zoom", "Screen Size", "Weight",  "Warranty",
    "Item Number", "Memory Type",  "Battery",     "Shipping"};

constexpr AttributeInfo kAuto[] = {
    {"model",
     Attribute::TEXT,
     false,
     true,
     AttributePlacement::kHeadline,
     {"Model", "Vehicle", "Car", "Trim"}},
    {"price",
     Attribute::PRICE,
     false,
     false,
     AttributePlacement::kOffer,
     {"Price", "MSRP", "Asking Price", "Invoice"}},
    {"engine",
     Attribute::TEXT,
     false,
     true,
     AttributePlacement::kFacts,
     {"Engine", "Motor", "Engine Type", "Powertrain"}},
    {"fuel_economy",
     Attribute::TEXT,
     false,
     true,
     AttributePlacement::kFacts,
     {"Fuel Economy", "Mileage", "MPG", "EPA Estimate"}},
};
constexpr std::string_view kAutoCategories[] = {
    "New Cars",        "Used Cars", "SUVs",         "Trucks",
    "Hybrids",         "Sedans",    "Convertibles", "Wagons",
    "Finance & Loans", "Insurance", "Recalls",      "Dealers"};
constexpr std::string_view kAutoDecoys[] = {
    "Transmission", "Drive Train", "Doors",     "Seating",  "Warranty",
    "Body Style",   "Horsepower",  "Stock No.", "Wheelbase"};

constexpr AttributeInfo kJob[] = {
    {"title",
     Attribute::TEXT,
     false,
     true,
     AttributePlacement::kHeadline,
     {"Title", "Position", "Job Title", "Role"}},
    {"company",
     Attribute::TEXT,
     false,
     true,
     AttributePlacement::kByline,
     {"Company", "Employer", "Hiring Company", "Organization"}},
    {"location",
     Attribute::TEXT,
     false,
     true,
     AttributePlacement::kFacts,
     {"Location", "Where", "Job Location", "City"}},
    {"date_posted",
     Attribute::DATE,
     false,
     true,
     AttributePlacement::kFacts,
     {"Date Posted", "Posted", "Posted on", "Listed"}},
};
constexpr std::string_view kJobCategories[] = {
    "Accounting",  "Engineering", "Health Care",   "Sales & Marketing",
    "Government",  "Education",   "Manufacturing", "Part-time",
    "Internships", "Executive",   "Post a Resume", "Salary Guide"};
constexpr std::string_view kJobDecoys[] = {
    "Employment Type", "Reference",  "Experience", "Education", "Salary",
    "Travel",          "Start Date", "Department", "Shift"};

constexpr AttributeInfo kRestaurant[] = {
    {"name",
     Attribute::TEXT,
     false,
     true,
     AttributePlacement::kHeadline,
     {"Name", "Restaurant", "Place", "Venue"}},
    {"cuisine",
     Attribute::TEXT,
     true,
     true,
     AttributePlacement::kFacts,
     {"Cuisine", "Food", "Cuisine(s)", "Type of food"}},
    {"address",
     Attribute::TEXT,
     false,
     true,
     AttributePlacement::kByline,
     {"Address", "Location", "Find us at", "Street address"}},
    {"phone",
     Attribute::PHONE,
     false,
     true,
     AttributePlacement::kByline,
     {"Phone", "Tel", "Call", "Reservations"}},
};
constexpr std::string_view kRestaurantCategories[] = {
    "Best of the City", "Brunch",       "Outdoor Seating", "Late Night",
    "Bars & Pubs",      "Family",       "Delivery",        "Vegetarian",
    "New Openings",     "Reservations", "Coupons",         "Maps"};
constexpr std::string_view kRestaurantDecoys[] = {
    "Hours",  "Parking", "Dress Code",  "Cross Street", "Seats",
    "Opened", "Chef",    "Price Range", "Payment"};

constexpr AttributeInfo kUniversity[] = {
    {"name",
     Attribute::TEXT,
     false,
     true,
     AttributePlacement::kHeadline,
     {"Name", "School", "Institution", "College"}},
    {"type",
     Attribute::TEXT,
     false,
     true,
     AttributePlacement::kFacts,
     {"Type", "School Type", "Institution Type", "Control"}},
    {"phone",
     Attribute::PHONE,
     false,
     true,
     AttributePlacement::kFacts,
     {"Phone", "Telephone", "General information", "Call"}},
    {"website",
     Attribute::URL,
     false,
     true,
     AttributePlacement::kFacts,
     {"Website", "Web Site", "Homepage", "On the web"}},
};
constexpr std::string_view kUniversityCategories[] = {
    "Admissions",         "Financial Aid", "Rankings",       "Majors",
    "Scholarships",       "Campus Life",   "Test Prep",      "Graduate Schools",
    "Community Colleges", "Athletics",     "Online Degrees", "Compare"};
constexpr std::string_view kUniversityDecoys[] = {
    "Enrollment", "Tuition", "Acceptance Rate", "Founded", "Setting",
    "Calendar",   "Housing", "Student Ratio",   "Mascot"};

constexpr AttributeInfo kNbaPlayer[] = {
    {"name",
     Attribute::TEXT,
     false,
     true,
     AttributePlacement::kHeadline,
     {"Name", "Player", "Athlete", "Full name"}},
    {"team",
     Attribute::TEXT,
     false,
     true,
     AttributePlacement::kByline,
     {"Team", "Club", "Current Team", "Plays for"}},
    {"height",
     Attribute::TEXT,
     false,
     true,
     AttributePlacement::kFacts,
     {"Height", "Ht", "Listed height", "Stature"}},
    {"weight",
     Attribute::TEXT,
     false,
     true,
     AttributePlacement::kFacts,
     {"Weight", "Wt", "Listed weight", "Playing weight"}},
};
constexpr std::string_view kNbaPlayerCategories[] = {
    "Scores",        "Standings", "Schedule",  "Players",
    "Teams",         "Draft",     "Injuries",  "Transactions",
    "Video & Audio", "Fantasy",   "All-Stars", "History"};
constexpr std::string_view kNbaPlayerDecoys[] = {
    "Position", "Born",   "College", "Experience", "Drafted",
    "Number",   "Salary", "Agent",   "Nickname"};

constexpr Vertical kVerticals[] = {
    {"movie", "movie", "movies", kMovie, kMovieCategories, kMovieDecoys},
    {"book", "book", "books", kBook, kBookCategories, kBookDecoys},
    {"camera", "camera", "cameras", kCamera, kCameraCategories, kCameraDecoys},
    {"auto", "car", "cars", kAuto, kAutoCategories, kAutoDecoys},
    {"job", "job", "jobs", kJob, kJobCategories, kJobDecoys},
    {"restaurant", "restaurant", "restaurants", kRestaurant,
     kRestaurantCategories, kRestaurantDecoys},
    {"university", "school", "schools", kUniversity, kUniversityCategories,
     kUniversityDecoys},
    {"nbaplayer", "player", "players", kNbaPlayer, kNbaPlayerCategories,
     kNbaPlayerDecoys},
};

}  // namespace

absl::Span<const Vertical> Verticals() { return kVerticals; }

const Vertical* FindVertical(std::string_view name) {
  for (const Vertical& vertical : kVerticals) {
    if (vertical.name == name) return &vertical;
  }
  return nullptr;
}

proto::Schema MakeSchema(const Vertical& vertical) {
  proto::Schema schema;
  schema.set_name(std::string(vertical.name));
  for (const AttributeInfo& info : vertical.attributes) {
    proto::Attribute* attribute = schema.add_attribute();
    attribute->set_name(std::string(info.name));
    attribute->set_repeated(info.repeated);
    attribute->set_mandatory(info.placement == AttributePlacement::kHeadline);
    attribute->set_constant(info.constant);
    attribute->set_type(info.type);
  }
  return schema;
}

}  // namespace trommel::synth
