namespace Tarn.Traces;

/// <summary>FNV-1a, 64 bits: detects accidental damage, but does not protect against an attacker.</summary>
internal static class TraceChecksum
{
    private const ulong Basis = 0xcbf29ce484222325;
    private const ulong Prime = 0x100000001b3;

    internal static ulong Of(ReadOnlySpan<byte> bytes)
    {
        ulong sum = Basis;
        foreach (byte one in bytes)
        {
            sum = (sum ^ one) * Prime;
        }

        return sum;
    }
}
