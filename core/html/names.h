#ifndef TROMMEL_CORE_HTML_NAMES_H_
#define TROMMEL_CORE_HTML_NAMES_H_

// Tag and attribute names as small integers.
//
// Frequent names have the same id in every document and every process:
// names::k_div. A name outside that list gets an id of its own per document,
// from names::kFirstDynamic on; Document::NameOf() and FindName() translate.
// Tags and attributes share one space of ids (title is both).

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace trommel::html {

using NameId = uint32_t;

// clang-format off
#define TROMMEL_HTML_NAMES(X) \
  X(a) X(abbr) X(acronym) X(action) X(address) X(align) X(alt) X(applet)     \
  X(area) X(article) X(aside) X(async) X(audio) X(autocomplete) X(b)         \
  X(background) X(base) X(basefont) X(bdi) X(bdo) X(bgcolor) X(bgsound)      \
  X(big) X(blockquote) X(body) X(border) X(br) X(button) X(canvas)           \
  X(caption) X(cellpadding) X(cellspacing) X(center) X(charset) X(checked)   \
  X(circle) X(cite) X(class) X(clear) X(code) X(col) X(colgroup) X(color)    \
  X(cols) X(colspan) X(content) X(d) X(data) X(datalist) X(datetime) X(dd)   \
  X(defer) X(defs) X(del) X(desc) X(details) X(dfn) X(dialog) X(dir)         \
  X(disabled) X(div) X(dl) X(dt) X(em) X(embed) X(face) X(fieldset)          \
  X(figcaption) X(figure) X(fill) X(font) X(footer) X(for) X(foreignobject)  \
  X(form) X(frame) X(frameset) X(g) X(h1) X(h2) X(h3) X(h4) X(h5) X(h6)      \
  X(head) X(header) X(height) X(hgroup) X(hr) X(href) X(hreflang) X(html)    \
  X(i) X(id) X(iframe) X(image) X(img) X(input) X(ins) X(itemid) X(itemprop) \
  X(itemref) X(itemscope) X(itemtype) X(kbd) X(keygen) X(label) X(lang)      \
  X(language) X(legend) X(li) X(line) X(link) X(listing) X(loading) X(main)  \
  X(map) X(mark) X(marquee) X(math) X(maxlength) X(media) X(menu) X(meta)    \
  X(meter) X(method) X(name) X(nav) X(nobr) X(noembed) X(noframes)           \
  X(noscript) X(nowrap) X(object) X(ol) X(onchange) X(onclick) X(onload)     \
  X(onmouseout) X(onmouseover) X(optgroup) X(option) X(output) X(p) X(param) \
  X(path) X(picture) X(placeholder) X(plaintext) X(points) X(polygon)        \
  X(polyline) X(pre) X(progress) X(property) X(q) X(rb) X(rect) X(rel)       \
  X(rev) X(role) X(rows) X(rowspan) X(rp) X(rt) X(rtc) X(ruby) X(s) X(samp)  \
  X(scope) X(script) X(scrolling) X(search) X(section) X(select) X(selected) \
  X(selectedcontent) X(size) X(sizes) X(slot) X(small) X(source) X(span)     \
  X(src) X(srcset) X(stop) X(strike) X(stroke) X(strong) X(style) X(sub)     \
  X(summary) X(sup) X(svg) X(symbol) X(tabindex) X(table) X(target) X(tbody) \
  X(td) X(template) X(text) X(textarea) X(tfoot) X(th) X(thead) X(time)      \
  X(title) X(tr) X(track) X(tt) X(type) X(u) X(ul) X(use) X(usemap)          \
  X(valign) X(value) X(var) X(video) X(wbr) X(width) X(xmlns) X(xmp)
// clang-format on

namespace names {
enum : NameId {
  kNone = 0,  // nodes that have no name: document, text, comment
#define TROMMEL_HTML_NAME_ID(name) k_##name,
  TROMMEL_HTML_NAMES(TROMMEL_HTML_NAME_ID)
#undef TROMMEL_HTML_NAME_ID
      kFirstDynamic
};
}  // namespace names

// The id of a frequent name (lower case), or names::kNone.
NameId FrequentName(std::string_view name);

// The name of an id below names::kFirstDynamic.
std::string_view FrequentNameOf(NameId id);

}  // namespace trommel::html

#endif  // TROMMEL_CORE_HTML_NAMES_H_
