#include "synth/page.h"

#include "synth/blocks.h"
#include "synth/chrome.h"
#include "synth/design.h"
#include "synth/markup.h"
#include "synth/shapes.h"

namespace trommel::synth {
namespace {

enum Salt { kFrameSalt = 901, kMainSalt };

constexpr std::string_view kMains[] = {
    "<div.b#>|</div>", "<div.w><div.b#>|</div></div>",
    "<div.b#><a[name=main]></a><div.r>|</div></div>"};

void WriteMain(const PagePlan& plan, PageContext* page,
               std::vector<record::Record>* records) {
  Markup& markup = page->markup;
  markup.Raw("<!-- content -->");
  const std::string_view rest = markup.Expand(
      ChooseShape(*page, Role::kMain, kMainSalt, kMains), Role::kMain);
  for (int i = 0; i < plan.state.wrappers; ++i) {
    markup.Expand("<div.w>", Role::kMain);
  }
  WriteContent(page, plan.state.moves, plan.entities, records);
  for (int i = 0; i < plan.state.wrappers; ++i) {
    markup.Expand("</div>", Role::kMain);
  }
  markup.Expand(rest, Role::kMain);
  markup.Raw("<!-- /content -->");
}

}  // namespace

void RenderPage(const PagePlan& plan, GeneratedPage* page) {
  page->html.clear();
  page->records.clear();
  page->schema = &plan.vertical->schema;
  const Design design = MakeDesign(plan.traits.seed, plan.state.redesigns);
  const Zone chrome = ChromeZone(design);
  const Zone content = ContentZone(design, plan.template_name,
                                   plan.state.renames, !plan.state.ids_removed);
  Markup markup(design, plan.traits, &page->html);
  PageContext context{.vertical = *plan.vertical,
                      .traits = plan.traits,
                      .traps = plan.traps,
                      .design = design,
                      .markup = markup,
                      .host = plan.host,
                      .kind = plan.kind,
                      .page_seed = plan.page_seed,
                      .day_seed = plan.day_seed,
                      .label_changes = plan.state.label_changes,
                      .title = plan.title};
  markup.set_zone(&chrome);
  WriteTop(&context);
  std::string_view rest = markup.Expand(
      ChooseShape(context, Role::kPage, kFrameSalt,
                  FrameShapes(design.layout, design.sidebar_first)),
      Role::kPage);
  for (const bool first : {true, false}) {
    if (first == design.sidebar_first) {
      WriteSidebar(&context);
    } else {
      markup.set_zone(&content);
      WriteMain(plan, &context, &page->records);
      markup.set_zone(&chrome);
    }
    rest = markup.Expand(rest, Role::kPage);
  }
  WriteBottom(&context);
}

}  // namespace trommel::synth
