#include "synth/entity.h"

#include <algorithm>
#include <string_view>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "synth/prose.h"
#include "synth/words.h"

namespace trommel::synth {
namespace {

using City = proto::SynthWords::City;

// Every maker appends one list of values per attribute, in the order of the
// schema. The headline is drawn first, so MakeHeadline() can stop there.
struct Maker {
  const SiteTraits& traits;
  Random random;
  Entity* entity;

  std::string* Add() {
    entity->values.emplace_back();
    return &entity->values.back().emplace_back();
  }

  std::string Person() {
    const std::string_view first = Pick(Words().first_name(), &random);
    const std::string_view last = Pick(Words().last_name(), &random);
    return traits.last_name_first ? StrCat(last, ", ", first)
                                  : StrCat(first, " ", last);
  }

  // One to `most` distinct words of a list, fewer being likelier.
  void AddSome(const WordList& words, uint64_t most) {
    std::vector<std::string>& values = entity->values.emplace_back();
    const uint64_t count = 1 + std::min(random.Below(most), random.Below(most));
    const uint64_t start = random.Below(std::size(words));
    const uint64_t step = 1 + random.Below(3);
    for (uint64_t i = 0; i < count; ++i) {
      values.push_back(EntryAt(words, start + i * step));
    }
  }

  void AddPeople(uint64_t most) {
    std::vector<std::string>& values = entity->values.emplace_back();
    const uint64_t count = 1 + std::min(random.Below(most), random.Below(most));
    while (values.size() < count) {
      std::string person = Person();
      if (std::find(values.begin(), values.end(), person) == values.end()) {
        values.push_back(std::move(person));
      }
    }
  }

  void AddDate(int first_year, int last_year) {
    const int year = static_cast<int>(random.Between(first_year, last_year));
    const int month = static_cast<int>(random.Between(1, 12));
    const int day = static_cast<int>(random.Between(1, 28));
    AppendDate(traits, year, month, day, Add());
  }

  void AddPhone(const City& city) {
    const int exchange = static_cast<int>(random.Between(200, 989));
    const int line = static_cast<int>(random.Between(1000, 9999));
    AppendPhone(traits, city.area_code(), exchange, line, Add());
  }

  const City& AnyCity() { return Pick(Words().city(), &random); }
};

void AppendFounders(Random* random, std::string* out) {
  const std::string& second = Pick(Words().last_name(), random);
  const std::string& first = Pick(Words().last_name(), random);
  StrAppend(out, first, " & ", second);
}

void AddHeadline(std::string_view vertical, Maker* m) {
  Random& random = m->random;
  std::string* out = m->Add();
  if (vertical == "camera") {
    const uint64_t tenths = random.Below(10);
    const int64_t megapixels = random.Between(6, 24);
    const int64_t number = random.Between(10, 99) * 10;
    const std::string& line = Pick(Words().camera_line(), &random);
    const std::string& maker = Pick(Words().camera_maker(), &random);
    StrAppend(out, maker, " ", line, " ", number, " ", megapixels, ".", tenths,
              "MP");
  } else if (vertical == "auto") {
    const std::string& trim = Pick(Words().car_trim(), &random);
    const std::string& model = Pick(Words().car_model(), &random);
    const std::string& maker = Pick(Words().car_maker(), &random);
    const int64_t year = random.Between(1998, 2025);
    StrAppend(out, year, " ", maker, " ", model, " ", trim);
  } else if (vertical == "job") {
    const std::string& role = Pick(Words().job_role(), &random);
    const std::string& field = Pick(Words().job_field(), &random);
    const std::string& level = Pick(Words().job_level(), &random);
    StrAppend(out, level, " ", field, " ", role);
  } else if (vertical == "restaurant") {
    StrAppend(out, Pick(Words().last_name(), &random), "'s ");
    std::string noun(Pick(Words().noun(), &random));
    noun[0] = static_cast<char>(noun[0] - 32);
    StrAppend(out, noun, " ", Pick(Words().restaurant_kind(), &random));
  } else if (vertical == "university") {
    const City& city = m->AnyCity();
    switch (random.Below(4)) {
      case 0:
        StrAppend(out, "University of ", city.name(), " at ",
                  Pick(Words().last_name(), &random));
        break;
      case 1:
        StrAppend(out, city.name(), " ", Pick(Words().last_name(), &random),
                  " College");
        break;
      case 2:
        AppendFounders(&random, out);
        out->append(" College");
        break;
      default:
        StrAppend(out, Pick(Words().last_name(), &random),
                  " State University, ", city.name());
    }
  } else if (vertical == "nbaplayer") {
    AppendPerson(&random, out);
  } else {
    AppendTitle(&random, out);
  }
}

void AddMovie(Maker* m) {
  m->AddPeople(3);
  m->AddSome(Words().genre(), 4);
  m->Add()->append(Pick(Words().mpaa_rating(), &m->random));
  m->AddDate(1975, 2025);
  StrAppend(m->Add(), m->random.Between(78, 190), " min");
}

void AddBook(Maker* m) {
  m->AddPeople(3);
  AppendIsbn13(m->traits, static_cast<uint32_t>(m->random.Below(1000000000)),
               m->Add());
  m->Add()->append(Pick(Words().publisher(), &m->random));
  m->AddDate(1960, 2025);
}

void AddCamera(Maker* m) {
  // The maker is the model's first word or two.
  const std::string& model = m->entity->headline();
  for (const std::string_view maker : Words().camera_maker()) {
    if (model.compare(0, maker.size(), maker) == 0) {
      m->Add()->append(maker);
      break;
    }
  }
  AppendPrice(m->traits, m->random.Between(49, 1899) * 100 + 95, m->Add());
}

void AddAuto(Maker* m) {
  AppendPrice(m->traits, m->random.Between(4500, 68000) * 100, m->Add());
  const int64_t liters = m->random.Between(10, 57);
  StrAppend(m->Add(),
            liters > 35   ? "V8, "
            : liters > 25 ? "V6, "
                          : "I4, ",
            liters / 10, ".", liters % 10, " Liter");
  const int64_t city = m->random.Between(12, 38);
  StrAppend(m->Add(), city, " mpg City / ", city + m->random.Between(3, 9),
            " mpg Hwy");
}

void AddJob(Maker* m) {
  AppendCompany(&m->random, m->Add());
  const City& city = m->AnyCity();
  StrAppend(m->Add(), city.name(), ", ", city.state());
  m->AddDate(2025, 2025);
}

void AddRestaurant(Maker* m) {
  m->AddSome(Words().cuisine(), 3);
  const City& city = m->AnyCity();
  const std::string& street = Pick(Words().street(), &m->random);
  const int64_t number = m->random.Between(2, 9800);
  std::string* address = m->Add();
  StrAppend(address, number, " ", street, ", ", city.name(), ", ", city.state(),
            " ");
  AppendNumber(static_cast<uint64_t>(city.zip()), 5, address);
  m->AddPhone(city);
}

void AddUniversity(Maker* m) {
  m->Add()->append(Pick(Words().school_type(), &m->random));
  m->AddPhone(m->AnyCity());
  std::string* site = m->Add();
  site->append("www.");
  std::string slug;
  AppendSlug(m->entity->headline(), '-', &slug);
  for (const char c : slug) {
    if (c != '-' && site->size() < 18) site->push_back(c);
  }
  site->append(".edu");
}

void AddPlayer(Maker* m) {
  m->Add()->append(Pick(Words().team(), &m->random));
  const int64_t inches = m->random.Between(70, 88);
  StrAppend(m->Add(), inches / 12, "-", inches % 12);
  StrAppend(m->Add(), m->random.Between(165, 310), " lbs");
}

}  // namespace

Entity MakeEntity(const Vertical& vertical, const SiteTraits& traits,
                  uint64_t id) {
  Entity entity;
  entity.id = id;
  entity.values.reserve(vertical.attributes.size());
  Maker maker{traits, Random(id), &entity};
  AddHeadline(vertical.name, &maker);
  if (vertical.name == "movie") AddMovie(&maker);
  if (vertical.name == "book") AddBook(&maker);
  if (vertical.name == "camera") AddCamera(&maker);
  if (vertical.name == "auto") AddAuto(&maker);
  if (vertical.name == "job") AddJob(&maker);
  if (vertical.name == "restaurant") AddRestaurant(&maker);
  if (vertical.name == "university") AddUniversity(&maker);
  if (vertical.name == "nbaplayer") AddPlayer(&maker);
  return entity;
}

std::string MakeHeadline(const Vertical& vertical, const SiteTraits& traits,
                         uint64_t id) {
  Entity entity;
  Maker maker{traits, Random(id), &entity};
  AddHeadline(vertical.name, &maker);
  return std::move(entity.values[0][0]);
}

}  // namespace trommel::synth
