// Measures every frame of the page: what overflows, which labels of a chart lie on another, which text is hard to read.
addEventListener("load", () => {
  const channel = (c) => ((c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const parse = (text) => (text.match(/[\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const contrast = (a, b) => {
    const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  // Boxes are as tall as their font may get, ink is less: three pixels of two lines are no collision.
  const meets = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;

  const backgroundOf = (element, view) => {
    for (let at = element; at; at = at.parentElement) {
      const parts = parse(view.getComputedStyle(at).backgroundColor);
      if (parts.length === 3 || parts[3] > 0) return parts;
    }
    return [255, 255, 255];
  };

  const measure = (frame) => {
    const { contentDocument: page, contentWindow: view } = frame;
    const root = page.documentElement;
    const charts = [...page.querySelectorAll("svg")].filter((svg) => view.getComputedStyle(svg).display !== "none");
    const overlaps = [];
    const outside = [];
    for (const svg of charts) {
      const space = svg.getBoundingClientRect();
      const labels = [...svg.querySelectorAll("text")].map((text) => [text, text.getBoundingClientRect()]);
      labels.forEach(([text, box], at) => {
        if (box.left < space.left - 2 || box.right > space.right + 2 || box.bottom > space.bottom + 2)
          outside.push(text.firstChild.data);
        for (const [other, place] of labels.slice(at + 1))
          if (meets(box, place)) overlaps.push(`${text.firstChild.data} | ${other.firstChild.data}`);
      });
    }
    let least = 99;
    let faint = "";
    let texts = 0;
    const walker = page.createTreeWalker(page.body, 4);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      const style = view.getComputedStyle(element);
      if (!walker.currentNode.textContent.trim() || !element.getClientRects().length || element.closest(".away, title")) continue;
      const colour = parse(element.closest("svg") ? style.fill : style.color);
      const found = contrast(colour, backgroundOf(element, view));
      texts += 1;
      if (found < least) [least, faint] = [found, walker.currentNode.textContent.trim().slice(0, 40)];
    }
    return {
      page: Number(frame.dataset.page),
      width: frame.clientWidth,
      content: root.scrollWidth,
      charts: charts.length,
      scripts: page.querySelectorAll("script").length,
      dark: light(backgroundOf(page.body, view)) < 0.2,
      overlaps, outside, texts, least, faint,
    };
  };
  const out = document.createElement("pre");
  out.id = "measured";
  out.textContent = JSON.stringify([...document.querySelectorAll("iframe")].map(measure));
  document.body.append(out);
});
