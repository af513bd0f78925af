namespace Tarn.Lab.Contenders;

/// <summary>What the report calls each kind of stream, the same everywhere.</summary>
internal static class StreamNames
{
    public const string Tarn = "PooledMemoryStream";
    public const string TarnNative = "PooledMemoryStream, native heap";
    public const string TarnParallel = "PooledMemoryStream, parallel copy";

    public const string Bcl = "MemoryStream";
    public const string Recyclable = "RecyclableMemoryStream";
    public const string Slim = "MemoryStreamSlim";

    /// <summary>No stream: what any stream has to do at least.</summary>
    public const string TwoCopies = "two copies";

    /// <summary>The same stream when it is told the size.</summary>
    public static string Sized(string name) => name + ", size known";
}
