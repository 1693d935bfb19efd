#ifndef TROMMEL_SYNTH_ASSETS_INTERNAL_H_
#define TROMMEL_SYNTH_ASSETS_INTERNAL_H_

// The files of data/ and schemas/ that are part of the binary; the definitions
// are written by trommel_embed_assets() of deploy/cmake.

#include <string_view>

namespace trommel::synth::assets {

extern const std::string_view kWords;
extern const std::string_view kBlocks;

extern const std::string_view kMovie;
extern const std::string_view kMovieSchema;
extern const std::string_view kBook;
extern const std::string_view kBookSchema;
extern const std::string_view kCamera;
extern const std::string_view kCameraSchema;
extern const std::string_view kAuto;
extern const std::string_view kAutoSchema;
extern const std::string_view kJob;
extern const std::string_view kJobSchema;
extern const std::string_view kRestaurant;
extern const std::string_view kRestaurantSchema;
extern const std::string_view kUniversity;
extern const std::string_view kUniversitySchema;
extern const std::string_view kNbaPlayer;
extern const std::string_view kNbaPlayerSchema;

}  // namespace trommel::synth::assets

#endif  // TROMMEL_SYNTH_ASSETS_INTERNAL_H_
