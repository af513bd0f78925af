namespace Tarn.Lab.Contenders;

/// <summary>The report's names of the kinds of stream.</summary>
internal static class StreamNames
{
    public const string Tarn = "PooledMemoryStream";
    public const string TarnNative = "PooledMemoryStream, native heap";
    public const string TarnParallel = "PooledMemoryStream, parallel copy";

    public const string Bcl = "MemoryStream";
    public const string Recyclable = "RecyclableMemoryStream";
    public const string Slim = "MemoryStreamSlim";

    /// <summary>Not a stream: the least work that any stream must do.</summary>
    public const string TwoCopies = "two copies";

    /// <summary>The name of the same stream when it receives the size.</summary>
    public static string Sized(string name) => name + ", size known";
}
