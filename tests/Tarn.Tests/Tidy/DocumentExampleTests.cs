namespace Tarn.Tests.Tidy;

public class ReadmeExampleTests
{
    [Fact]
    public void Every_example_of_the_readme_compiles() =>
        Assert.Empty(
            from example in ReadmeExamples.Extract(File.ReadAllText(Repository.At("README.md")))
            from error in ReadmeExamples.Compile(example)
            select $"{error} in\n{example}");

    [Fact]
    public void Examples_are_found_between_their_fences()
    {
        const string text =
            """
            ```csharp
            int a = 1;
            ```
            ```bash
            ls
            ```
            ```csharp
            int b = 2;
            ```
            """;

        Assert.Equal(["int a = 1;\n", "int b = 2;\n"], ReadmeExamples.Extract(text));
    }

    [Theory]
    [InlineData("byte[] a = BufferPool<byte>.Shared.Rent(10);\nBufferPool<byte>.Shared.Return(a);")]
    [InlineData("using System.Buffers;\nusing IMemoryOwner<byte> a = BufferPool<byte>.Shared.LeaseMemory(10);\nawait Stream.Null.WriteAsync(a.Memory);")]
    [InlineData("namespace Mine;\npublic class A { public ScratchBuffer<int> B => default; }")]
    [InlineData("Say(BufferDiagnostics.MeterName);\nstatic void Say(string text) => Console.WriteLine(text);\nclass A { }")]
    public void An_example_that_is_right_compiles(string example) => Assert.Empty(ReadmeExamples.Compile(example));

    [Theory]
    [InlineData("byte[] a = BufferPool<byte>.Shared.Borrow(10);", "Borrow")]
    [InlineData("byte[] a = BufferPool<byte>.Shared.Rent(10)", "; expected")]
    [InlineData("public class A { public BufferLoan<int> B => default; }", "BufferLoan")]
    public void An_example_that_is_wrong_does_not_compile(string example, string error) =>
        Assert.Contains(ReadmeExamples.Compile(example), found => found.Contains(error, StringComparison.Ordinal));
}
