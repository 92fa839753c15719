"use strict";
// Contacts this service only: no validator, no stored tokens.
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
