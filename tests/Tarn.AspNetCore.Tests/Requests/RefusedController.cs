using Microsoft.AspNetCore.Mvc;

namespace Tarn.AspNetCore.Tests.Requests;

/// <summary>Asks for memory from actions.</summary>
[ApiController]
[Route("controller")]
public sealed class RefusedController(RequestBuffers buffers) : ControllerBase
{
    [HttpGet("{form}")]
    public ActionResult<int> Get(string form) => RefusalMatrixTests.Ask(buffers, form);
}
