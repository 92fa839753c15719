"use strict";
// Nothing is asked of anyone but this service: no validator, no saved tokens.
window.ui = SwaggerUIBundle({
  url: new URL("openapi.json", document.baseURI).href,
  dom_id: "#interface",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  docExpansion: "list",
  persistAuthorization: false,
  queryConfigEnabled: false,
  supportedSubmitMethods: ["get", "post", "patch", "delete"],
  validatorUrl: null,
});
