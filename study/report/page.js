// Draws every figure of the page from the specification beside it. Text and lines take the colour of the page
// (currentColor), so that dark, light and paper need no drawing of their own.
(() => {
  const ink = 'currentColor';
  const text = {labelColor: ink, titleColor: ink, titleFontWeight: 500};
  const config = {
    background: 'transparent',
    font: 'system-ui, "Segoe UI", "Liberation Sans", "DejaVu Sans", sans-serif',
    view: {stroke: null},
    axis: {...text, domainColor: ink, domainOpacity: 0.5, tickColor: ink, tickOpacity: 0.5, gridColor: ink,
           gridOpacity: 0.12, labelFontSize: 11.5, titleFontSize: 12, titlePadding: 8},
    legend: {...text, labelFontSize: 12, symbolStrokeWidth: 2, symbolSize: 120, rowPadding: 3},
    header: {...text, labelFontSize: 12.5, labelFontWeight: 600, labelLimit: 800},
    title: {color: ink, fontSize: 12.5, fontWeight: 600},
    text: {color: ink},
  };

  const save = (content, name, type) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([content], {type}));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };

  const addTools = (figure, spec, view) => {
    const name = figure.dataset.name;
    const tools = figure.querySelector('.tools');
    const add = (label, act) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = label;
      button.addEventListener('click', act);
      tools.append(button);
    };
    add('SVG', async () => save(await view.toSVG(), name + '.svg', 'image/svg+xml'));
    add('CSV', () => save(spec.data.values, name + '.csv', 'text/csv'));
    add('Vega-Lite', () => save(JSON.stringify(spec, null, 2), name + '.vl.json', 'application/json'));
  };

  const draw = async (figure) => {
    const drawing = figure.querySelector('.drawing');
    try {
      const spec = JSON.parse(figure.querySelector('script').textContent);
      const {view} = await vegaEmbed(drawing, spec, {mode: 'vega-lite', renderer: 'svg', actions: false, config});
      addTools(figure, spec, view);
      return true;
    } catch (error) {
      console.error(figure.dataset.name, error);
      drawing.textContent = 'This figure could not be drawn: ' + error;
      drawing.classList.add('fault');
      return false;
    }
  };

  const drawAll = async () => {
    const figures = [...document.querySelectorAll('figure[data-name]')];
    let drawn = 0;
    for (const figure of figures) drawn += await draw(figure);
    document.documentElement.dataset.drawn = drawn + '/' + figures.length;
  };
  drawAll();
})();
