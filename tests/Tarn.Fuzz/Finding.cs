namespace Tarn.Fuzz;

/// <summary>An input that broke the rule: any bytes give a documented exception or a valid object.</summary>
/// <param name="Target">The reader of the input.</param>
/// <param name="Input">The bytes.</param>
/// <param name="What">The failure.</param>
internal sealed record Finding(string Target, byte[] Input, string What)
{
    /// <summary>Writes the input to a file and describes how to run it again.</summary>
    internal void Report(string folder)
    {
        Directory.CreateDirectory(folder);
        string file = Path.GetFullPath(Path.Combine(folder, $"{Target}-{Guid.NewGuid():n}"));
        File.WriteAllBytes(file, Input);
        Console.WriteLine($"FOUND by {Target}: {What}");
        Console.WriteLine($"  input: {Convert.ToHexString(Input)}");
        Console.WriteLine($"  again: dotnet run -c Release --project tests/Tarn.Fuzz -- --only {Target} --repeat {file}");
    }
}
