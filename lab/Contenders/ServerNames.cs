namespace Tarn.Lab.Contenders;

/// <summary>The report's names of the memory pools of a web server, and what its program calls them.</summary>
internal static class ServerNames
{
    public const string Tarn = "Tarn.AspNetCore";
    public const string Default = "Kestrel's own pool";
    public const string MemoryPool = PoolNames.TarnMemoryPool;

    /// <summary>The two that the claims are about.</summary>
    public static IReadOnlyList<string> All { get; } = [Tarn, Default];

    /// <summary>The argument of the server's program.</summary>
    public static string ArgumentOf(string name) => name switch { Tarn => "tarn", MemoryPool => "memory-pool", _ => "default" };
}
