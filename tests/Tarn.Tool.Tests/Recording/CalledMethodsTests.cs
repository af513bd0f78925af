using System.Reflection;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Recording;

public class CalledMethodsTests
{
    private static readonly string s_module = typeof(CalledMethodsTests).Assembly.Location;

    [Theory]
    [InlineData("Append", 3)]
    [InlineData("Reverse", 1)]
    [InlineData(".ctor", 3)]
    [InlineData("Remove", 0)]
    public void Calls_are_found_behind_instructions_of_each_length(string name, int count)
    {
        using var modules = new ModuleFiles();
        var calls = new CalledMethods(modules);

        IReadOnlyList<int> found = calls.Find(s_module, TokenOf(nameof(Calls)), name)!;

        Assert.Equal(count, found.Count);
        Assert.Equal(found.Order(), found);
    }

    [Fact]
    public void A_method_without_instructions_at_hand_has_no_answer()
    {
        using var modules = new ModuleFiles();
        var calls = new CalledMethods(modules);

        Assert.Null(calls.Find("", 0x0600_0001, "Append"));
        Assert.Null(calls.Find("/no/such/file.dll", 0x0600_0001, "Append"));
        Assert.Null(calls.Find(s_module, 0, "Append"));
        Assert.Null(calls.Find(s_module, 0x06FF_FFFF, "Append"));
        Assert.Null(calls.Find(Path.ChangeExtension(s_module, ".pdb"), 0x0600_0001, "Append"));
    }

    private static string Calls(int number, double scale)
    {
        var text = new System.Text.StringBuilder();
        _ = text.Append(number switch { 0 => "none", 1 => "one", 2 => "two", 3 => "three", _ => "many" });
        _ = text.Append(scale > 1.5 ? 0x1234_5678_9ABC : number);
        int[] numbers = [number, 2_000_000, .. new List<int>(number)];
        numbers.AsSpan().Reverse();
        return text.Append(numbers[0] >= 300 ? typeof(int) : null).ToString();
    }

    private static int TokenOf(string name) =>
        typeof(CalledMethodsTests).GetMethod(name, BindingFlags.NonPublic | BindingFlags.Static)!.MetadataToken;
}
