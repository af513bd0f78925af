using System.Text;

namespace Tarn.Fuzz.Targets;

/// <summary>The value of TARN_CHECKS. Any value is read, whatever it has.</summary>
internal sealed class ChecksTarget : IFuzzTarget
{
    public string Name => "environment";

    public long MostBytes => 1 << 20;

    public IEnumerable<byte[]> Seeds =>
        ((string[])["", "all", "returns,leaks", "useAfterReturn; sampled guard", "none", "11", "fromEnvironment", "true,Returns"])
            .Select(Encoding.UTF8.GetBytes);

    public void Run(byte[] input)
    {
        string value = Encoding.UTF8.GetString(input);
        BufferChecks checks = BufferChecksEnvironment.Parse(value, out string? complaint);
        _ = BufferChecksEnvironment.Resolve(checks, nameof(input));
        if (checks == BufferChecks.None && complaint is null && !IsNoneOrSpace(value))
        {
            throw new InvalidProgramException($"\"{value}\" switched no check on, and nothing was reported.");
        }
    }

    public bool IsDocumented(Exception exception) => false;

    public void Dispose()
    {
    }

    private static bool IsNoneOrSpace(string value) =>
        value.Split([',', ';', ' '])
            .All(static word => word.Trim() is "" || word.Trim().Equals("none", StringComparison.OrdinalIgnoreCase));
}
