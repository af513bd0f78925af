using Microsoft.AspNetCore.Mvc;

namespace Tarn.AspNetCore.Tests.Support;

/// <summary>Sends and takes text, which MVC writes and reads through its pools.</summary>
[Route("mvc")]
public sealed class TextController : ControllerBase
{
    [HttpGet("content")]
    public IActionResult Get() => Content("text");

    [HttpPost("text")]
    public int Post([FromBody] string text) => text.Length;
}
