namespace Tarn;

/// <summary>What the calls of <c>AddTarn</c> have asked for so far, one after the other.</summary>
internal sealed class Registered
{
    internal TarnServerOptions Options { get; set; } = new();
}
