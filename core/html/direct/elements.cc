#include "core/html/direct/elements.h"

#include <lexbor/html/tag.h>

#include <initializer_list>
#include <string_view>

namespace trommel::html::direct {
namespace {

using namespace names;  // NOLINT: the whole file is about names

// Properties that lexbor keeps in a table of its own.
uint32_t LexborProperties(lxb_tag_id_t tag, lxb_ns_id_t space) {
  static constexpr std::pair<lxb_html_tag_category_t, uint32_t> kPairs[] = {
      {LXB_HTML_TAG_CATEGORY_SPECIAL, kSpecial},
      {LXB_HTML_TAG_CATEGORY_SCOPE, kScope},
      {LXB_HTML_TAG_CATEGORY_SCOPE_BUTTON, kButtonScope},
      {LXB_HTML_TAG_CATEGORY_SCOPE_LIST_ITEM, kListItemScope},
      {LXB_HTML_TAG_CATEGORY_SCOPE_TABLE, kTableScope}};
  uint32_t properties = 0;
  for (const auto& [category, property] : kPairs) {
    if (lxb_html_tag_is_category(tag, space, category)) properties |= property;
  }
  return properties;
}

void SetLexborProperties(ElementTable* table) {
  for (lxb_tag_id_t tag = LXB_TAG_A; tag < LXB_TAG__LAST_ENTRY; ++tag) {
    size_t length = 0;
    const lxb_char_t* const text = lxb_tag_name_by_id(tag, &length);
    const NameId name =
        FrequentName({reinterpret_cast<const char*>(text), length});
    if (name == kNone) continue;
    (*table)[name].properties |= LexborProperties(tag, LXB_NS_HTML);
    (*table)[name].svg_properties |= LexborProperties(tag, LXB_NS_SVG);
  }
}

struct Listed {
  StartRule start;
  std::initializer_list<NameId> names;
};

void SetStartRules(ElementTable* table) {
  const std::initializer_list<Listed> lists = {
      {StartRule::kHtml, {k_html}},
      {StartRule::kHeadContent,
       {k_base, k_basefont, k_bgsound, k_link, k_meta, k_noframes, k_script,
        k_style, k_title}},
      {StartRule::kBody, {k_body}},
      {StartRule::kBlock,
       {k_address,  k_article,    k_aside,   k_blockquote, k_center,
        k_details,  k_dialog,     k_dir,     k_div,        k_dl,
        k_fieldset, k_figcaption, k_figure,  k_footer,     k_header,
        k_hgroup,   k_main,       k_menu,    k_nav,        k_ol,
        k_p,        k_search,     k_section, k_summary,    k_ul}},
      {StartRule::kHeading, {k_h1, k_h2, k_h3, k_h4, k_h5, k_h6}},
      {StartRule::kPre, {k_pre, k_listing}},
      {StartRule::kForm, {k_form}},
      {StartRule::kListItem, {k_li}},
      {StartRule::kDescription, {k_dd, k_dt}},
      {StartRule::kButton, {k_button}},
      {StartRule::kAnchor, {k_a}},
      {StartRule::kFormatting,
       {k_b, k_big, k_code, k_em, k_font, k_i, k_s, k_small, k_strike, k_strong,
        k_tt, k_u}},
      {StartRule::kNobr, {k_nobr}},
      {StartRule::kMarked, {k_applet, k_marquee, k_object}},
      {StartRule::kTable, {k_table}},
      {StartRule::kVoid, {k_area, k_br, k_embed, k_img, k_keygen, k_wbr}},
      {StartRule::kPlainVoid, {k_param, k_source, k_track}},
      {StartRule::kInput, {k_input}},
      {StartRule::kHr, {k_hr}},
      {StartRule::kImage, {k_image}},
      {StartRule::kTextarea, {k_textarea}},
      {StartRule::kXmp, {k_xmp}},
      {StartRule::kRawText, {k_iframe, k_noembed}},
      {StartRule::kSelect, {k_select}},
      {StartRule::kOption, {k_option}},
      {StartRule::kOptgroup, {k_optgroup}},
      {StartRule::kRubyBase, {k_rb, k_rtc}},
      {StartRule::kRubyText, {k_rp, k_rt}},
      {StartRule::kSvg, {k_svg}},
      {StartRule::kIgnored,
       {k_caption, k_col, k_colgroup, k_frame, k_head, k_tbody, k_td, k_tfoot,
        k_th, k_thead, k_tr}},
      {StartRule::kFrameset, {k_frameset}},
      {StartRule::kTemplate, {k_template}},
      {StartRule::kMath, {k_math}},
      {StartRule::kPlaintext, {k_plaintext}},
      {StartRule::kSelectedContent, {k_selectedcontent}}};
  for (const Listed& list : lists) {
    for (const NameId name : list.names) (*table)[name].start = list.start;
  }
}

// Most end tags go with their start tags.
EndRule EndRuleOf(NameId name, StartRule start) {
  switch (start) {
    case StartRule::kBlock:
      return name == k_p ? EndRule::kParagraph : EndRule::kBlock;
    case StartRule::kPre:
    case StartRule::kButton:
    case StartRule::kSelect:
      return EndRule::kBlock;
    case StartRule::kHtml:
      return EndRule::kHtml;
    case StartRule::kBody:
      return EndRule::kBody;
    case StartRule::kForm:
      return EndRule::kForm;
    case StartRule::kListItem:
      return EndRule::kListItem;
    case StartRule::kDescription:
      return EndRule::kDescription;
    case StartRule::kHeading:
      return EndRule::kHeading;
    case StartRule::kAnchor:
    case StartRule::kFormatting:
    case StartRule::kNobr:
      return EndRule::kFormatting;
    case StartRule::kMarked:
      return EndRule::kMarked;
    case StartRule::kTemplate:
      return EndRule::kTemplate;
    default:
      return name == k_br ? EndRule::kBreak : EndRule::kOther;
  }
}

void SetProperty(uint32_t property, std::initializer_list<NameId> names,
                 ElementTable* table) {
  for (const NameId name : names) (*table)[name].properties |= property;
}

// Lists that stand in the text of the algorithm.
void SetListedProperties(ElementTable* table) {
  SetProperty(
      kImpliedEnd,
      {k_dd, k_dt, k_li, k_optgroup, k_option, k_p, k_rb, k_rp, k_rt, k_rtc},
      table);
  SetProperty(kNearSpecial, {k_address, k_div, k_p}, table);
  SetProperty(kTablePart,
              {k_caption, k_col, k_colgroup, k_tbody, k_td, k_tfoot, k_th,
               k_thead, k_tr},
              table);
  SetProperty(kFosters, {k_table, k_tbody, k_tfoot, k_thead, k_tr}, table);
  SetProperty(
      kBreakout,
      {k_b,      k_big,    k_blockquote, k_body,    k_br,   k_center, k_code,
       k_dd,     k_div,    k_dl,         k_dt,      k_em,   k_embed,  k_h1,
       k_h2,     k_h3,     k_h4,         k_h5,      k_h6,   k_head,   k_hr,
       k_i,      k_img,    k_li,         k_listing, k_menu, k_meta,   k_nobr,
       k_ol,     k_p,      k_pre,        k_ruby,    k_s,    k_small,  k_span,
       k_strong, k_strike, k_sub,        k_table,   k_tt,   k_u,      k_ul,
       k_var},
      table);
}

ElementTable MakeElements() {
  ElementTable table = {};
  SetStartRules(&table);
  SetListedProperties(&table);
  SetLexborProperties(&table);
  for (NameId name = 1; name < kFirstDynamic; ++name) {
    ElementRules& rules = table[name];
    rules.end = EndRuleOf(name, rules.start);
    if (rules.end == EndRule::kFormatting) {
      rules.properties |= kFormattingElement;
    }
    if (rules.start == StartRule::kHeading) rules.properties |= kHeading;
    // End tags are implied by name, whatever the namespace.
    rules.svg_properties |=
        LexborProperties(name, LXB_NS_SVG) | (rules.properties & kImpliedEnd);
    if (name == k_desc || name == k_foreignobject || name == k_title) {
      rules.svg_properties |= kIntegrationPoint;
    }
  }
  return table;
}

}  // namespace

const ElementTable& Elements() {
  static const auto* const table = new ElementTable(MakeElements());
  return *table;
}

}  // namespace trommel::html::direct
