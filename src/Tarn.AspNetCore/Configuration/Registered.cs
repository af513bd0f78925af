namespace Tarn;

/// <summary>What the last call of <c>AddTarn</c> was asked to register.</summary>
internal sealed class Registered
{
    internal bool ServerBlocks { get; private set; } = true;

    internal bool Arrays { get; private set; } = true;

    internal void Set(TarnServerOptions options)
    {
        ServerBlocks = options.PoolServerBlocks;
        Arrays = options.PoolArrays;
    }
}
