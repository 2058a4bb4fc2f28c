// Draws `source`, or shows why it cannot be drawn beside the source itself (CNV-120).
const failed = why => {
  document.getElementById('why').textContent = why;
  document.getElementById('failed').hidden = false;
  document.getElementById('drawing').hidden = true;
};
document.getElementById('source').textContent = source;
if (typeof mermaid === 'undefined') {
  failed('');
} else {
  mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', suppressErrorRendering: true });
  mermaid.render('diagram', source).then(
    drawn => {
      document.getElementById('drawing').innerHTML = drawn.svg;
    },
    error => failed(String((error && error.message) || error))
  );
}
